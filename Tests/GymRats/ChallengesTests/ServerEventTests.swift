import ProductHTTP
import Testing

/// Tests the parser of server-sent events with the examples and rules of the HTML standard.
@Suite struct ServerEventTests {
  struct Case: CustomTestStringConvertible {
    let text: String
    let events: [String]
    var lastEventId = ""
    var testDescription: String { text.debugDescription }
  }

  static let cases = [
    Case(text: "", events: []),
    Case(text: "data: not complete", events: []),
    Case(text: "data: a\n\n", events: ["message  a"]),
    Case(text: "data:a\n\ndata:  a \n\n", events: ["message  a", "message   a "]),
    Case(text: "data: a\rdata: b\r\rdata: c\r\n\r\n", events: ["message  a\nb", "message  c"]),
    Case(text: "data\n\ndata\ndata\n\n", events: ["message  ", "message  \n"]),
    Case(text: ": comment\n\n:\n\nevent: x\n\n", events: []),
    Case(text: "event: board\ndata: {}\n\ndata: x\n\n", events: ["board  {}", "message  x"]),
    Case(
      text: "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
      events: ["message 1 a", "message 1 b", "message  c"]),
    Case(text: "id: 7\n\nid: a\u{0}b\ndata: x\n\n", events: ["message 7 x"], lastEventId: "7"),
    Case(text: "id: 8\ndata: lost", events: []),
    Case(text: "\u{FEFF}data: ä🙂\n\n", events: ["message  ä🙂"]),
    Case(text: "unknown: x\nDATA: x\ndata : x\n\n", events: []),
    Case(text: "\r\n\r\n\n\n\r\rdata: a\n\r", events: ["message  a"]),
  ]

  @Test(arguments: cases)
  func `events are parsed in one part, and byte by byte`(one: Case) throws {
    var (whole, single) = (ServerEventParser(), ServerEventParser())
    let events = try whole.parse(one.text.utf8)
    #expect(events.map { "\($0.name) \($0.id) \($0.data)" } == one.events)
    var pieces: [ServerEvent] = []
    for byte in one.text.utf8 { pieces += try single.parse([byte]) }
    #expect(pieces == events)
    #expect(single.lastEventId == whole.lastEventId)
    if !one.lastEventId.isEmpty { #expect(whole.lastEventId == one.lastEventId) }
  }

  @Test func `a pause has digits only, and an id goes on from the previous connection`() throws {
    var parser = ServerEventParser(lastEventId: "3")
    #expect(try parser.parse("data: a\n\n".utf8).map(\.id) == ["3"])
    for text in ["", "x", "-1", "1.5", "9999999999"] {
      _ = try parser.parse("retry: \(text)\n".utf8)
      #expect(parser.retry == nil)
    }
    _ = try parser.parse("retry: 1500\n".utf8)
    #expect(parser.retry == .milliseconds(1_500))
    #expect(parser.lastEventId == "3")
  }
}
