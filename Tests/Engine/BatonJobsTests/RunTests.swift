import BatonJobs
import Foundation
import Logging
import Synchronization
import Testing

/// Runs without a queue: the decoding of payloads and keys, and the metadata of the logger.
@Suite struct RunTests {
  private struct Parcel: BatchJob {
    static let definition = Definition<Self>("parcel")
    struct Address: Codable { let street: String }
    let address: Address
    let items: [Int]?
    static func run(_ batch: [Run<Self>], in context: Int) async throws {}
  }

  @Test(arguments: [
    (#"{}"#, "address is missing"), (#"{"address": {}}"#, "address.street is missing"),
    (#"{"address": {"street": 1}}"#, "address.street is not of type String"),
    (#"{"address": null}"#, "address is null and should be a"),
    (#"{"address": {"street": "a"}, "items": [1, "two"]}"#, "items.[1] is not of type Int"),
    (#"[]"#, "the whole of it is no"), ("{", "the whole of it: "),
  ])
  func `a payload that cannot be read says where`(json: String, what: String) {
    let error = #expect(throws: UnreadablePayload.self) { try Run<Parcel>.payload(json) }
    #expect(
      error?.description.hasPrefix("the payload cannot be read: \(what)") == true, "\(error!)")
  }

  @Test func `fields that the job does not have are ignored`() throws {
    let payload = try Run<Parcel>.payload(#"{"address": {"street": "a", "floor": 2}, "new": 1}"#)
    #expect(payload.address.street == "a" && payload.items == nil)
  }

  @Test func `keys of schedules are one word, or instants as they are written`() {
    #expect(ScheduleKey("scheduled")?.description == "scheduled")
    for text in [
      "2024-06-03T00:00:00Z", "scheduled/weekly", "2024-06-03T00:00:00Z/weekly", "scheduled/2",
    ] {
      #expect(ScheduleKey(text)?.description == text)
    }
    #expect(ScheduleKey("scheduled/weekly")?.schedule == "weekly")
    for text in [
      "", "Scheduled", "2024-06-03", "2024-06-03T00:00:00+00:00", "2024-02-30T00:00:00Z",
      "scheduled/", "/weekly", "scheduled/Weekly", "scheduled/a/b", "weekly",
    ] {
      #expect(ScheduleKey(text) == nil, "\(text)")
    }
  }

  @Test func `a run's logger says with each line which run it is`() throws {
    let lines = Lines()
    let logger = Logger(label: "test") { _ in LineHandler(lines) }
    let run = Run(
      try Run<Parcel>.payload(#"{"address": {"street": "a"}}"#), key: "k",
      header: RunHeader(id: 12, job: "parcel", key: "k", attempt: 3, logger: logger))
    run.logger.info("sent")
    #expect(lines.all == ["sent attempt=3 job=parcel key=k run=12"])
    #expect(run.payload.address.street == "a")
  }

  @Test func `a job has what its kind has, and the usual where nothing is said`() {
    let definition = Parcel.definition
    #expect(definition.job.topics.isEmpty && definition.job.schedules.isEmpty)
    #expect(
      definition.job.batch == 100 && definition.job.retry == .usual && !definition.job.keepsHistory)
    #expect(definition.job.debounce == .none && definition.job.timeout == .seconds(20))
  }
}

/// The logged lines.
private final class Lines: Sendable {
  private let kept = Mutex<[String]>([])
  var all: [String] { kept.withLock { $0 } }
  func add(_ line: String) { kept.withLock { $0.append(line) } }
}

/// Keeps each line with its metadata, sorted by name.
private struct LineHandler: LogHandler {
  let lines: Lines
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  init(_ lines: Lines) { self.lines = lines }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let said = metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    lines.add("\(event.message) \(said.joined(separator: " "))")
  }
}
