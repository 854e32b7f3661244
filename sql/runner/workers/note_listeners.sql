-- Notes whether any worker listens: where none does, no write tries to wake one.
-- Rows: 1 where that has changed. Locks: the row of event_segment then.
update event_segment
set has_listener = w.listens
from (select exists (select from worker where listens) as listens) w
where has_listener <> w.listens
