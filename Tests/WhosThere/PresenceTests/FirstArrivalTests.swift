import JobTesting
import TestSupport
import Testing

/// Tests the first arrival in a group on each date, in the group's time zone.
@Suite(.timeLimit(.minutes(5))) struct FirstArrivalTests {
  @Test(.sampled())
  func `dates are those of the group at midnight, at a clock change and for travellers`()
    async throws
  {
    try await Places.with(at: "2024-03-01 12:00") { places in
      try await places.accounts("ann", "ben")
      // The nightly job would delete the visits of earlier months, but the last check counts
      // visits.
      try await places.sql("update setting set visit_age = '3660 days'")
      // A user's own time zone does not change the date.
      try await places.sql(
        """
        update users set time_zone =
          case id when 'ann' then 'Pacific/Auckland' else 'America/Los_Angeles' end
        """)
      for (group, zone) in [
        ("g", "Europe/Berlin"), ("east", "Pacific/Kiritimati"), ("west", "Pacific/Pago_Pago"),
      ] {
        try await places.call(
          "create_group('ann', '\(group)', 'G', \(Places.park), '\(zone)', true)")
        try await places.call("join_public_group('ben', '\(group)')")
      }
      // Seconds around midnight. 31 March is an hour shorter, and 27 October is an hour longer.
      let arrivals: [(at: String, user: String, visit: String)] = [
        ("03-29 22:59:59", "ann", "t 2024-03-29"), ("03-29 23:00:00", "ben", "t 2024-03-30"),
        ("03-30 23:00:00", "ann", "t 2024-03-31"), ("03-31 21:59:59.999999", "ben", "f 2024-03-31"),
        ("03-31 22:00:00", "ben", "t 2024-04-01"), ("10-26 22:00:00", "ben", "t 2024-10-27"),
        ("10-27 22:59:59", "ann", "f 2024-10-27"), ("10-27 23:00:00", "ann", "t 2024-10-28"),
      ]
      var id = 0
      for arrival in arrivals {
        try await places.stand(at: "2024-\(arrival.at)")
        id += 2
        try await places.outcome(Places.checkIn(arrival.user, id))
        #expect(
          try await places.sql(
            "select is_first::text::char || ' ' || local_date from visit where departure is null")
            == [arrival.visit], "\(arrival)")
        try await places.outcome(Places.checkOut(arrival.user, id + 1))
      }
      // One instant has two dates, and both arrivals are the first on their date.
      try await places.stand(at: "2024-11-05 10:30")
      for (group, user) in [("east", "ann"), ("west", "ann"), ("east", "ben"), ("west", "ben")] {
        id += 1
        try await places.outcome(Places.checkIn(user, id + 100, group))
      }
      #expect(
        try await places.visits("east")
          == ["ann t 2024-11-06 10:30:00", "ben f 2024-11-06 10:30:00"])
      #expect(
        try await places.visits("west")
          == ["ann t 2024-11-04 10:30:00", "ben f 2024-11-04 10:30:00"])
      // The line only displays the user who was first on its date.
      #expect(try await places.test.drain() == 0)
      let first = "select presence_snapshot('ben', 'east') -> 'summary' ->> 'firstToday'"
      try await places.stand(at: "2024-11-06 09:59:59")
      #expect(try await places.sql(first) == ["ann"])
      try await places.stand(at: "2024-11-06 10:00")
      #expect(try await places.sql("\(first) is null") == ["t"])
      let broken = try await places.broken()
      #expect(broken == [])
    }
  }
}
