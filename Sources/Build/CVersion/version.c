#include "version.h"

// Package.swift can pass a value, such as the commit, only to C code, as a macro.
#ifndef BATON_COMMIT
#define BATON_COMMIT "development"
#endif

// The version of the next release.
#define BATON_VERSION "0.1.0"

const char *baton_version(void) { return BATON_VERSION " (" BATON_COMMIT ")"; }
