-- The roles of the product.

-- An API logs in as it and becomes, for a transaction, a user or nobody known. It may do nothing itself.
create role {authenticator} login noinherit;
create role {user} nologin;
create role {anon} nologin;
-- A back end that is trusted: it says who calls. PostgreSQL knows no user of its own of it.
create role {api} login;
-- The work of the job `retention`.
create role {retention} nologin;

grant {user}, {anon} to {authenticator};
grant {retention} to {worker};

-- What they may not is not granted to them; rows are hidden from nobody who serves all.
create policy all_rows on all tables to {retention};
