import Synchronization
package import Tracing

/// A tracer that uses W3C trace contexts, and keeps the spans that have ended, in that order.
package struct RecordingTracer: Tracer {
  /// A span that has ended.
  package struct Ended: Sendable {
    package let name: String
    /// The trace has 32 hexadecimal digits, and the ids have 16.
    ///
    /// The parent is the caller's span, or "" without a caller.
    package let trace, id, parent: String
    /// The spans that this span links to.
    package let links: [String]
    package let attributes: [String: String]
    package let isFailed: Bool
    package let began, ended: UInt64
  }

  private let kept = Kept()

  /// Creates a tracer without spans.
  package init() {}

  /// The spans that have ended.
  package var spans: [Ended] { kept.spans.withLock { $0 } }

  package func startSpan<Instant: TracerInstant>(
    _ name: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file: String, line: UInt
  ) -> RecordingSpan {
    RecordingSpan(name, below: context(), at: instant().nanosecondsSinceEpoch, kept)
  }

  package func forceFlush() {}

  package func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {
    guard let text = extractor.extract(key: "traceparent", from: carrier) else { return }
    let parts = text.split(separator: "-").map(String.init)
    context.place = SpanPlace(trace: parts[1], id: parts[2])
  }

  package func inject<Carrier, Inject: Injector>(
    _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {
    guard let place = context.place else { return }
    injector.inject(place.traceparent, forKey: "traceparent", into: &carrier)
  }

  final class Kept: Sendable {
    let spans = Mutex<[Ended]>([])
  }
}

/// The place of a span: its trace and its id.
package struct SpanPlace: Sendable, Equatable {
  package let trace, id: String

  /// Creates the place of a span.
  package init(trace: String, id: String) { (self.trace, self.id) = (trace, id) }

  /// The place as a W3C traceparent.
  package var traceparent: String { "00-\(trace)-\(id)-01" }

  /// Returns a span elsewhere, such as the span of a request that an application serves.
  package static func random(in trace: String? = nil) -> SpanPlace {
    SpanPlace(trace: trace ?? digits(32), id: digits(16))
  }

  private static func digits(_ count: Int) -> String {
    String((0..<count).map { _ in "0123456789abcdef".randomElement() ?? "1" })
  }
}

private enum PlaceKey: ServiceContextKey { typealias Value = SpanPlace }

extension ServiceContext {
  /// The place of the current span.
  package var place: SpanPlace? {
    get { self[PlaceKey.self] }
    set { self[PlaceKey.self] = newValue }
  }
}

/// A span of ``RecordingTracer``.
package final class RecordingSpan: Span {
  package let context: ServiceContext
  private let place: SpanPlace
  private let parent: String
  private let began: UInt64
  private let kept: RecordingTracer.Kept
  private let state: Mutex<State>

  private struct State {
    var name: String
    var attributes: SpanAttributes = [:]
    var links: [String] = []
    var isFailed = false
  }

  init(
    _ name: String, below context: ServiceContext, at began: UInt64, _ kept: RecordingTracer.Kept
  ) {
    place = .random(in: context.place?.trace)
    parent = context.place?.id ?? ""
    var own = context
    own.place = place
    self.context = own
    self.began = began
    self.kept = kept
    state = Mutex(State(name: name))
  }

  package var operationName: String {
    get { state.withLock { $0.name } }
    set { state.withLock { $0.name = newValue } }
  }

  package var attributes: SpanAttributes {
    get { state.withLock { $0.attributes } }
    set { state.withLock { $0.attributes = newValue } }
  }

  package var isRecording: Bool { true }

  package func setStatus(_ status: SpanStatus) {
    state.withLock { $0.isFailed = $0.isFailed || status.code == .error }
  }

  package func addEvent(_ event: SpanEvent) {}

  package func recordError<Instant: TracerInstant>(
    _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
  ) {}

  package func addLink(_ link: SpanLink) {
    state.withLock { $0.links.append(link.context.place?.id ?? "") }
  }

  package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
    let ended = state.withLock { state in
      var attributes: [String: String] = [:]
      state.attributes.forEach { attributes[$0] = "\($1)" }
      return RecordingTracer.Ended(
        name: state.name, trace: place.trace, id: place.id, parent: parent, links: state.links,
        attributes: attributes, isFailed: state.isFailed, began: began,
        ended: instant().nanosecondsSinceEpoch)
    }
    kept.spans.withLock { $0.append(ended) }
  }
}
