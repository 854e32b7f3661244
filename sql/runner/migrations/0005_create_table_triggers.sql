-- The triggers that jobs declare, as `migrate` has made them. docs/jobs.md has the rules.

create table table_trigger (
  -- Of the view that holds its columns; its functions and triggers are named the same with the operation
  -- behind it.
  name text collate "C" primary key,
  -- Who made it, and alone removes it.
  program text not null,
  job text collate "C" not null,
  table_schema text not null,
  table_name text not null,
  -- What its functions read by name: where one of them is renamed, writes fail.
  columns text[] not null,
  -- In the order insert, update, delete.
  operations text[] not null,
  -- Of all that `migrate` ran, and of the functions' texts as the server keeps them.
  sha256 text not null,
  bodies text[] not null
);
