-- The definitions of the schema's objects as the migrators left them. `check` compares the catalog with these rows to
-- find objects that other sessions have created, changed or dropped.
create table object_definition (
  kind text collate "C" not null,
  -- The table of the object. Empty: the object belongs to no table.
  relation text collate "C" not null,
  name text collate "C" not null,
  definition text not null,
  primary key (kind, relation, name)
);
