-- What users have done, in numbers, and what they have achieved. docs/whosthere.md has who counts what, and when.

-- The catalogue, in the order in which it is shown; the library has the same one.
create table achievement (
  type text collate "C" primary key check (type ~ '^[A-Za-z]{1,64}$'),
  place integer not null constraint achievement_place unique,
  title text not null,
  description text not null,
  points integer not null check (points >= 0),
  -- The number of user_stats that has to reach the goal.
  counter text not null check (counter in (
    'check_ins', 'first_arrivals', 'groups_visited', 'longest_streak', 'longest_stay', 'messages_sent')),
  goal bigint not null check (goal > 0)
);
insert into achievement (place, type, title, description, points, counter, goal)
values
  (1, 'firstCheckIn', 'First Check-In', 'Check in for the first time.', 10, 'check_ins', 1),
  (2, 'regular', 'Regular', 'Check in 10 times.', 25, 'check_ins', 10),
  (3, 'devoted', 'Devoted', 'Check in 50 times.', 50, 'check_ins', 50),
  (4, 'legend', 'Legend', 'Check in 200 times.', 100, 'check_ins', 200),
  (5, 'firstOfTheDay', 'First of the Day', 'Be the first to arrive on a day.', 15, 'first_arrivals', 1),
  (6, 'earlyBird', 'Early Bird', 'Be the first to arrive on 10 days.', 30, 'first_arrivals', 10),
  (7, 'explorer', 'Explorer', 'Check in to 3 groups.', 25, 'groups_visited', 3),
  (8, 'wanderer', 'Wanderer', 'Check in to 10 groups.', 75, 'groups_visited', 10),
  (9, 'weekStreak', 'Week Streak', 'Check in on 7 days in a row.', 40, 'longest_streak', 7),
  (10, 'monthStreak', 'Month Streak', 'Check in on 30 days in a row.', 150, 'longest_streak', 30),
  (11, 'marathon', 'Marathon', 'Stay for 8 hours.', 60, 'longest_stay', 28800),
  (12, 'talkative', 'Talkative', 'Send 50 messages.', 20, 'messages_sent', 50);

-- Counted by the triggers on visit and message; who has done nothing has no row.
create table user_stats (
  user_id identifier primary key references users,
  check_ins bigint not null default 0 check (check_ins >= 0),
  -- How often the user was the first one of a group on one of its dates.
  first_arrivals bigint not null default 0 check (first_arrivals >= 0),
  groups_visited bigint not null default 0 check (groups_visited >= 0),
  -- Dates in a row.
  longest_streak bigint not null default 0 check (longest_streak >= 0),
  -- Of the stays that have ended, in whole seconds.
  longest_stay bigint not null default 0 check (longest_stay >= 0),
  -- Also those that were deleted since.
  messages_sent bigint not null default 0 check (messages_sent >= 0)
) with (fillfactor = 80);

-- Dates in a row on which a user checked in, whatever groups they were of. Runs that touch are one.
create table visit_streak (
  user_id identifier not null references user_stats on delete cascade,
  begins date not null,
  ends date not null,
  primary key (user_id, begins),
  constraint visit_streak_dates check (ends >= begins)
) with (fillfactor = 80);

-- What a user has achieved. It is never lost, and worth what it was worth then.
create table unlock (
  user_id identifier not null references user_stats on delete cascade,
  achievement text collate "C" not null references achievement,
  unlocked_at timestamptz not null,
  points integer not null check (points >= 0),
  -- When the user was shown it; null: it is new.
  seen_at timestamptz,
  primary key (user_id, achievement)
) with (fillfactor = 80);
