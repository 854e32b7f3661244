// The part of libpq that Postgres uses; libpq.pc (pkg-config) says where it is installed.
#include <libpq-fe.h>
