-- Creates the roles of servers that make calls for users, and of the users themselves. The product's module of the
-- schema grants these roles privileges on its tables and functions.

-- An API logs in as this role, which has no privileges of its own. For each transaction, the API sets the role to the
-- user role or the anonymous role.
create role {authenticator} login noinherit;
create role {user} nologin;
create role {anon} nologin;
-- This role is for a trusted back end, which names the user of each call. The users of this back end have no roles in
-- PostgreSQL.
create role {api} login;

grant {user}, {anon} to {authenticator};
grant usage on schema {schema} to {user}, {anon}, {api};
