#pragma once
// Clang's thread-safety analysis: which mutex guards a member, which one a function needs. clang
// checks them at compile time (-Wthread-safety); other compilers ignore them.
// https://clang.llvm.org/docs/ThreadSafetyAnalysis.html

#if defined(__clang__)
#define ORIEL_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define ORIEL_THREAD_ANNOTATION(x)
#endif

// On a member: only touched while the mutex is held.
#define GUARDED_BY(mutex) ORIEL_THREAD_ANNOTATION(guarded_by(mutex))

// On a function: the caller holds the mutex, or must not hold it.
#define REQUIRES(...) ORIEL_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) ORIEL_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))

// On the types and functions that implement a mutex.
#define CAPABILITY(name) ORIEL_THREAD_ANNOTATION(capability(name))
#define SCOPED_CAPABILITY ORIEL_THREAD_ANNOTATION(scoped_lockable)
#define ACQUIRE(...) ORIEL_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) ORIEL_THREAD_ANNOTATION(try_acquire_capability(__VA_ARGS__))
#define RELEASE(...) ORIEL_THREAD_ANNOTATION(release_capability(__VA_ARGS__))
#define NO_THREAD_SAFETY_ANALYSIS ORIEL_THREAD_ANNOTATION(no_thread_safety_analysis)
