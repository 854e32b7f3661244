// Imports the C interface of libpq. pkg-config finds the installed library with libpq.pc.
#include <libpq-fe.h>
