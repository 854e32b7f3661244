-- Messages by their ids. message_once begins with the partition, so each look-up by id read the index of every message
-- that is kept. The migration after this one makes these indexes those of message, and drops message_once.
-- Outside of a transaction.
drop index if exists message_0_by_id;
create unique index concurrently message_0_by_id on message_0 (id, partition);
drop index if exists message_1_by_id;
create unique index concurrently message_1_by_id on message_1 (id, partition);
drop index if exists message_2_by_id;
create unique index concurrently message_2_by_id on message_2 (id, partition);
drop index if exists message_3_by_id;
create unique index concurrently message_3_by_id on message_3 (id, partition);
drop index if exists message_4_by_id;
create unique index concurrently message_4_by_id on message_4 (id, partition);
drop index if exists message_5_by_id;
create unique index concurrently message_5_by_id on message_5 (id, partition);
drop index if exists message_6_by_id;
create unique index concurrently message_6_by_id on message_6 (id, partition);
drop index if exists message_7_by_id;
create unique index concurrently message_7_by_id on message_7 (id, partition);
drop index if exists message_8_by_id;
create unique index concurrently message_8_by_id on message_8 (id, partition);
drop index if exists message_9_by_id;
create unique index concurrently message_9_by_id on message_9 (id, partition);
drop index if exists message_10_by_id;
create unique index concurrently message_10_by_id on message_10 (id, partition);
drop index if exists message_11_by_id;
create unique index concurrently message_11_by_id on message_11 (id, partition);
drop index if exists message_12_by_id;
create unique index concurrently message_12_by_id on message_12 (id, partition);
drop index if exists message_13_by_id;
create unique index concurrently message_13_by_id on message_13 (id, partition);
drop index if exists message_14_by_id;
create unique index concurrently message_14_by_id on message_14 (id, partition);
drop index if exists message_15_by_id;
create unique index concurrently message_15_by_id on message_15 (id, partition)
