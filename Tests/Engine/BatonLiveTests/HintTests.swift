import BatonLive
import BatonPostgres
import TestSupport
import Testing

/// The messages of publishers, their recipients, and the behavior without such messages.
@Suite(.timeLimit(.minutes(5))) struct HintTests {
  @Test func `publishers notify while somebody observes, neither before nor after`() async throws {
    try await Notes.with { notes in
      let spy = try await notes.spy()
      try await notes.write("two")
      #expect(try await spy.hears() == [])
      let reader = Task { for await _ in notes.channel.observe("n1", as: "ann") {} }
      try await eventually("the hub's lock") { try await notes.locks() == 1 }
      try await notes.write("three")
      #expect(try await spy.hears() == ["notes"])
      // Publishers send no message for a feed that has no observers.
      try await notes.test.sql("select wake_observers('other')")
      #expect(try await spy.hears() == [])
      reader.cancel()
      try await eventually("no lock") { try await notes.locks() == 0 }
      try await notes.write("four")
      #expect(try await spy.hears() == [])
      await spy.close()
    }
  }

  @Test func `publishers do not take each other for hubs, and keep none of them out`() async throws
  {
    try await Notes.with { notes in
      let spy = try await notes.spy()
      try await notes.test.holding("select wake_observers('notes')") { _ in
        try await notes.write("two")
        #expect(try await spy.hears() == [])
        var ann = notes.channel.observe("n1", as: "ann").makeAsyncIterator()
        #expect(await ann.next() == "two for ann")
        try await eventually("the hub's lock") { try await notes.locks() == 1 }
      }
      await spy.close()
    }
  }

  @Test func `a change that was rolled back says nothing`() async throws {
    try await Notes.with { notes in
      var ann = notes.channel.observe("n1", as: "ann").makeAsyncIterator()
      #expect(await ann.next() == "one for ann")
      let spy = try await notes.spy()
      await expectSQLState("22012") {
        try await notes.test.sql(
          "select wake_observers('notes'), 1 / (select count(*) from barred)")
      }
      #expect(try await spy.hears() == [])
      await spy.close()
    }
  }

  @Test func `a change of which nobody said anything is found by a poll`() async throws {
    try await Notes.with(.quick) { notes in
      var ann = notes.channel.observe("n1", as: "ann").makeAsyncIterator()
      #expect(await ann.next() == "one for ann")
      try await notes.write("two", isTold: false)
      #expect(await ann.next() == "two for ann")
    }
  }

  @Test func `where nobody may notify, a hub polls alone and takes no lock`() async throws {
    try await Notes.with { notes in
      try await notes.test.sql("update event_segment set may_wake = false")
      var ann = notes.channel.observe("n1", as: "ann").makeAsyncIterator()
      #expect(await ann.next() == "one for ann")
      try await notes.write("two")
      #expect(await ann.next() == "two for ann")
      #expect(try await notes.locks() == 0)
    }
  }

  @Test(.sampled()) func `schemas of one database do not wake each other`() async throws {
    try await TestSchema.besideEachOther { one, two in
      let keys = [
        try await one.sql("select observer_key('notes')"),
        try await two.sql("select observer_key('notes')"),
        try await one.sql("select observer_key('other')"),
        try await one.sql("select lock_key from event_target"),
      ]
      #expect(Set(keys).count == 4)
    }
  }

  @Test(.bothWays) func `also behind a pooler streams follow, and end`() async throws {
    try await Notes.with { notes in
      var ann = notes.channel.observe("n1", as: "ann").makeAsyncIterator()
      #expect(await ann.next() == "one for ann")
      for body in ["two", "three"] {
        try await notes.write(body)
        #expect(await ann.next() == "\(body) for ann")
      }
      try await notes.test.sql("insert into barred values ('ann')")
      try await notes.write("four")
      #expect(await ann.next() == "barred")
      #expect(await ann.next() == nil)
    }
  }

  @Test func `a connection that is cut is opened again, and all is shown anew`() async throws {
    try await Notes.with { notes in
      var ann = notes.channel.observe("n1", as: "ann").makeAsyncIterator()
      #expect(await ann.next() == "one for ann")
      for body in ["two", "three"] {
        try await notes.test.sql(
          """
          select pg_terminate_backend(pid, 10000) from pg_stat_activity
          where application_name = 'hub of \(notes.test.name)'
          """)
        // The failure is skipped if the note was displayed again before the observer read the
        // failure.
        var next = await ann.next()
        if next == "late" { next = await ann.next() }
        #expect(next == (body == "two" ? "one for ann" : "two for ann"))
        // The publishers know the new hub.
        try await notes.write(body)
        #expect(await ann.next() == "\(body) for ann")
      }
      #expect(try await notes.locks() == 1)
      #expect(try await notes.sessions() == 1)
    }
  }
}
