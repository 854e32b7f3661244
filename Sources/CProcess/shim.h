// Functions of the system with a variable number of arguments, which Swift cannot call.
#include <sys/prctl.h>

/// Lets the process leave no core, and lets no process of the same user read its memory; 0: done.
static inline int baton_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
