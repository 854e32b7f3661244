-- The roles of whoever calls in a user's name, and of the users themselves. What these may do with a product's own
-- tables and functions says the product's part.

-- An API logs in as it and becomes, for a transaction, a user or nobody known. It may do nothing itself.
create role {authenticator} login noinherit;
create role {user} nologin;
create role {anon} nologin;
-- A back end that is trusted: it says who calls. PostgreSQL knows no user of its own of it.
create role {api} login;

grant {user}, {anon} to {authenticator};
grant usage on schema {schema} to {user}, {anon}, {api};
