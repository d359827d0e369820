// A target needs a source file; this one exists for its precompiled header.
