-- The shelves that were counted, and the occurrences of a schedule.

create table shelf_count (
  shelf bigint primary key
);

create table effect (
  key text not null
);
