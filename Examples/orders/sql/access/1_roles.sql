-- The rights of each role in a schema with roles (docs/reference/roles.md).

-- The role `shop` is for the program in which customers order parcels. Only the jobs have the other rights.
create role {shop} login;
grant usage on schema {schema} to {shop};
grant select, insert on parcel to {shop};
grant insert on recall to {shop};
create policy all_rows on all tables to {shop};

grant select, update (recalled_at) on parcel to {worker};
grant select, insert on picking to {worker};
grant select on recall to {worker};
grant select, insert, update (parcels) on day_count to {worker};
grant select on parcel, picking, to_pack to {worker}, {operator};
