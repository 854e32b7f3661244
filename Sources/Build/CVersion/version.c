#include "version.h"

// A C file: a setting of the package can hand a text to nothing else without writing a source.
#ifndef BATON_COMMIT
#define BATON_COMMIT "development"
#endif

const char *baton_commit(void) { return BATON_COMMIT; }
