#pragma once

// The failpoints of SQLite's syncs, in builds with failpoints.

namespace oriel {

#ifndef ORIEL_NO_FAILPOINTS
// From now on all files that SQLite opens have them. A failpoint that throws fails the sync.
void add_sync_failpoints();
#endif

}  // namespace oriel
