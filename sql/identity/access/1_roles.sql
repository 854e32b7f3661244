-- Creates the roles for servers that make calls on behalf of users, and the users' roles. Each product's module grants
-- these roles privileges on the product's tables and functions.

-- The authenticator is the role with which an API logs in, and has no privileges of its own. For each transaction, the
-- API sets the role to the user role or the anonymous role.
create role {authenticator} login noinherit;
create role {user} nologin;
create role {anon} nologin;
-- The role `api` is for a trusted back end, which passes the acting user in each call. The users for whom the trusted
-- back end acts have no roles in PostgreSQL.
create role {api} login;

grant {user}, {anon} to {authenticator};
grant usage on schema {schema} to {user}, {anon}, {api};
