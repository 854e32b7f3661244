#include "version.h"

// A C file: a setting of the package can hand a text to nothing else without writing a source.
#ifndef BATON_COMMIT
#define BATON_COMMIT "development"
#endif

// The next release.
#define BATON_VERSION "0.1.0"

const char *baton_version(void) { return BATON_VERSION " (" BATON_COMMIT ")"; }
