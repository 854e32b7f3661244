-- The roles of servers that call in a user's name, and of the users themselves. The product's part of the schema
-- declares what these roles may do with the product's own tables and functions.

-- An API logs in as this role. For each transaction it becomes a user or anonymous. The role itself has no rights.
create role {authenticator} login noinherit;
create role {user} nologin;
create role {anon} nologin;
-- A trusted back end: it states which user calls. PostgreSQL has no separate role for each of its users.
create role {api} login;

grant {user}, {anon} to {authenticator};
grant usage on schema {schema} to {user}, {anon}, {api};
