import Baton
import Foundation
import JobRunner
import Logging

/// Answers questions about one schema, and about this process.
struct Desk: Sendable {
  private let gate: Gate
  private let reader: Reader
  private let readings: SharedReading<Reading>
  private let worker: Worker?
  private let metrics: PrometheusMetrics
  private let pageReader: PageReader
  /// What people let be done; nil: nothing may be.
  private let actions: ActionDesk?
  private let api: API
  private static let began = Date().timeIntervalSince1970

  init(
    _ settings: HTTPSettings, about subject: HTTPSubject, metrics: PrometheusMetrics,
    logger: Logger
  ) {
    let reader = Reader(subject, logger: logger)
    gate = Gate(hosts: settings.hosts, token: settings.token, logger: logger)
    self.reader = reader
    let readings = SharedReading(atMostEvery: .seconds(1)) { await reader.read() }
    self.readings = readings
    worker = subject.worker
    self.metrics = metrics
    pageReader = PageReader(subject)
    actions = ActionDesk(subject, logger: logger)
    api = API(
      subject: subject, reader: pageReader, actions: actions, look: { await readings.value() },
      logger: logger)
  }

  /// The answer; within little more than two seconds, whatever the server does.
  func answer(_ question: Question) async -> Answer {
    if let refusal = gate.refusal(of: question) { return refusal }
    switch question.path {
    case "/health/live": return .json(200, #"{"status":"live"}"#)
    case "/health/ready": return health(await readings.value()).answer
    case "/metrics": return scrape(await readings.value())
    case "/api/status": return status(await readings.value())
    case let path where path.hasPrefix("/api/"):
      return await api.answer(question, by: "token")
    default: return .refused(404, "there is no such page")
    }
  }

  /// Does what a person lets be done, as the audit has it by this name.
  func perform(
    _ action: OperatorAction, by person: String
  ) async -> Result<ActionResult, Complaint> {
    guard let actions else { return .failure(.readOnly) }
    return await actions.perform(action, by: person)
  }

  func close() async {
    await reader.close()
    await pageReader.close()
  }

  /// That of the reading and of the worker as it is now: a stop shows at once.
  private func health(_ reading: Reading) -> Health { Health(reading, worker: worker?.pulse) }

  // MARK: What is answered

  private func scrape(_ reading: Reading) -> Answer {
    var text = PrometheusText()
    text.add(
      "baton_ready", "1: what /health/ready looks at is good.", health(reading).isReady ? 1 : 0)
    text.add(
      "baton_server_read", "1: the server was read for this; else all that is read there lacks.",
      reading.observation == nil ? 0 : 1)
    text.add(
      "baton_read_seconds", "How long the server was read for this.",
      reading.took / .seconds(1))
    text.add(
      "process_start_time_seconds", "When this process began, since 1970.", Self.began)
    if let observation = reading.observation { text.add(observation) }
    for gauge in reading.gauges ?? [] { text.add("baton_\(gauge.name)", gauge.help, gauge.value) }
    metrics.write(to: &text)
    return Answer(status: 200, type: PrometheusText.type, body: text.text)
  }

  private struct Status: Encodable {
    let health: Health
    let observation: Observation
    let gauges: [ProductGauge]?
  }

  private func status(_ reading: Reading) -> Answer {
    guard let observation = reading.observation else { return health(reading).answer(503) }
    let status = Status(
      health: health(reading), observation: observation, gauges: reading.gauges)
    return .json(200, JSON.text(status))
  }
}
