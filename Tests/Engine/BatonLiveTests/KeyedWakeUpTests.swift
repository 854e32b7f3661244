import BatonLive
import BatonPostgres
import TestSupport
import Testing

/// Wake-ups with the topics that changed.
@Suite(.timeLimit(.minutes(5))) struct KeyedWakeUpTests {
  @Test func `what a wake-up names is read, and nothing else is looked at`() async throws {
    try await Notes.with(notes: 2, isKeyed: true) { notes in
      var ann = notes.channel.observe("n1", as: "ann").makeAsyncIterator()
      var ben = notes.channel.observe("n2", as: "ben").makeAsyncIterator()
      #expect(await ann.next() == "one for ann")
      #expect(await ben.next() == "one for ben")
      try await eventually("the hub's lock") { try await notes.locks() == 1 }
      let looks = notes.feed.calls.looks
      // The topic n3 has no observers. The topic n2 has also changed, but no message names it.
      try await notes.write("two", isTold: false)
      try await notes.test.sql("select wake_observers_of('notes', '{n3,n1}')")
      #expect(await ann.next() == "two for ann")
      #expect(notes.feed.calls.looks == looks)
      try await notes.write("three")
      #expect(await ben.next() == "three for ben")
      #expect(await ann.next() == "three for ann")
    }
  }

  @Test func `newcomers and those that were named are read together, others are shown nothing`()
    async throws
  {
    try await Notes.with(notes: 2, isKeyed: true) { notes in
      var ann = notes.channel.observe("n1", as: "ann").makeAsyncIterator()
      #expect(await ann.next() == "one for ann")
      try await eventually("the hub's lock") { try await notes.locks() == 1 }
      try await notes.write("two", isTold: false)
      var ben = notes.channel.observe("n2", as: "ben").makeAsyncIterator()
      #expect(await ben.next() == "two for ben")
      // If a new observer selects a topic that was already read, the hub reads the topic again for
      // both observers.
      var eve = notes.channel.observe("n1", as: "eve").makeAsyncIterator()
      #expect(await eve.next() == "two for eve")
      #expect(await ann.next() == "two for ann")
    }
  }

  @Test func `a topic that was left and is observed again is known by its name`() async throws {
    try await Notes.with(notes: 2, isKeyed: true) { notes in
      var stays = notes.channel.observe("n2", as: "ben").makeAsyncIterator()
      #expect(await stays.next() == "one for ben")
      for (body, before) in [("two", "one"), ("three", "two")] {
        let reader = Task {
          var seen: [String] = []
          for await line in notes.channel.observe("n1", as: "ann") {
            seen.append(line)
            if seen.count == 2 { break }
            try await notes.write(body, isTold: false)
            try await notes.test.sql("select wake_observers_of('notes', '{n1}')")
          }
          return seen
        }
        #expect(try await reader.value == ["\(before) for ann", "\(body) for ann"])
        try await eventually("her end") { notes.channel.observerCount == 1 }
      }
    }
  }

  @Test func `where a feed has no names for its topics, a wake-up of some is one of all`()
    async throws
  {
    try await Notes.with { notes in
      var ann = notes.channel.observe("n1", as: "ann").makeAsyncIterator()
      #expect(await ann.next() == "one for ann")
      try await eventually("the hub's lock") { try await notes.locks() == 1 }
      try await notes.write("two", isTold: false)
      try await notes.test.sql("select wake_observers_of('notes', '{other}')")
      #expect(await ann.next() == "two for ann")
    }
  }

  @Test func `more names than a NOTIFY carries, or one that is missing, are all of them`()
    async throws
  {
    try await Notes.with { notes in
      let spy = try await notes.spy()
      var ann = notes.channel.observe("n1", as: "ann").makeAsyncIterator()
      #expect(await ann.next() == "one for ann")
      try await eventually("the hub's lock") { try await notes.locks() == 1 }
      // The name, a line break and the keys have at most 7,999 bytes.
      for (keys, heard) in [
        ("'{}'", []), ("null", ["notes"]), ("'{n1,null}'", ["notes"]),
        ("'{n1,n2}'", ["notes\nn1\nn2"]),
        ("array[repeat('x', 7993)]", ["notes\n" + String(repeating: "x", count: 7_993)]),
        ("array[repeat('x', 7994)]", ["notes"]),
        ("array[repeat('é', 3997)]", ["notes"]),
      ] {
        try await notes.test.sql("select wake_observers_of('notes', \(keys))")
        #expect(try await spy.hears() == heard, "\(keys.prefix(40))")
      }
      await spy.close()
    }
  }
}
