-- A look-up of a message by its id takes one step in the index of each partition. The constraint message_once began with
-- the partition, so each look-up read the index of every message that is kept.
--
-- In the transaction of the other migrations, so that a pooler can be migrated through. Members cannot send messages
-- while the index is built, some seconds for two million messages.

create unique index message_id on message (id, partition);
alter table message drop constraint message_once;
