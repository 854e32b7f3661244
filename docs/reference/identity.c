#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>

static void send(PGconn *c, const char *text, int count, const char *const *values) {
  PQsendQueryParams(c, text, count, NULL, values, NULL, NULL, 0);
}

int main(void) {
  PGconn *c = PQconnectdb("");
  const char *identity[] = {"gymrats_user", getenv("CLAIM")}, *user[] = {"ann"};
  int failed = PQstatus(c) != CONNECTION_OK || !PQenterPipelineMode(c);
  send(c, "begin", 0, NULL);
  send(c, "select set_config('role', $1, true), set_config('baton.claim', $2, true)", 2, identity);
  send(c, "select display_name from gymrats.get_user($1)", 1, user);
  send(c, "commit", 0, NULL);
  failed |= !PQpipelineSync(c);
  for (int index = 0; index < 4 && !failed; index++) {
    PGresult *result = PQgetResult(c);
    ExecStatusType status = PQresultStatus(result);
    failed = status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK;
    if (failed) fputs(PQerrorMessage(c), stderr);
    if (!failed && index == 2) puts(PQgetvalue(result, 0, 0));
    PQclear(result);
    PQclear(PQgetResult(c));
  }
  PQfinish(c);
  return failed;
}
