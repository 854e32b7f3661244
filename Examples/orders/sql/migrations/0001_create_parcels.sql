-- Parcels, what the warehouse is to pack, what was recalled, and how many parcels a day had.

create table parcel (
  id bigint generated always as identity primary key,
  product text not null,
  address text not null,
  -- The runner's clock: the server's, but one that a test can set.
  ordered_at timestamptz not null default domain_now(),
  recalled_at timestamptz
);
create index parcel_of_product on parcel (product, id) where recalled_at is null;
create index parcel_ordered_at on parcel (ordered_at);

create table picking (
  parcel bigint primary key references parcel,
  told_at timestamptz not null default domain_now()
);

-- The key of an event has 256 bytes at most.
create table recall (
  product text primary key check (octet_length(product) between 1 and 256)
);

create table day_count (
  day date primary key,
  parcels bigint not null
);
