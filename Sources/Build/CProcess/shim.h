// What Swift cannot use itself: functions with a variable number of arguments, and the variable `stdout`.
#include <stdio.h>
#include <sys/prctl.h>

/// Lets the process leave no core, and lets no process of the same user read its memory; 0: done.
static inline int baton_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/// Writes each line when it ends, also to a pipe or a file; only before the first output. 0: done.
static inline int baton_line_buffer_stdout(void) { return setvbuf(stdout, NULL, _IOLBF, 0); }

/// Writes what is left; 0: all output was written so far.
static inline int baton_flush_stdout(void) { return fflush(stdout) || ferror(stdout); }
