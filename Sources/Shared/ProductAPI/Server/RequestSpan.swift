#if HTTP
  import ProductPostgres
  import Tracing

  /// The tracing span of a request, if the program has installed a tracer.
  ///
  /// The span continues the trace given in the request's `traceparent` header. If the request
  /// causes job runs, they continue the request's trace. If no tracer is installed, the runs caused
  /// by a request continue the trace given in the `traceparent` header.
  enum RequestSpan {
    /// Executes the body within a span, and ends the span with the route and the status.
    static func within(
      _ request: APIRequest, _ body: () async -> (name: String, reply: APIReply)
    ) async -> (name: String, reply: APIReply) {
      let tracer = InstrumentationSystem.tracer
      guard !(tracer is NoOpTracer) else {
        return await CallTrace.$traceparent.withValue(request.traceparent) { await body() }
      }
      var context = ServiceContext.topLevel
      InstrumentationSystem.instrument.extract(
        request.headers, into: &context, using: RequestHeaders())
      let span: any Span = tracer.startSpan(request.method, context: context, ofKind: .server)
      let traceparent = Self.traceparent(of: span.context)
      let answer = await ServiceContext.withValue(span.context) {
        await CallTrace.$traceparent.withValue(traceparent) { await body() }
      }
      span.operationName = answer.name
      span.attributes["http.request.method"] = request.method
      span.attributes["http.route"] = answer.name
      span.attributes["http.response.status_code"] = answer.reply.status
      if answer.reply.status >= 500 { span.setStatus(SpanStatus(code: .error)) }
      span.end()
      return answer
    }

    /// Returns a trace context as a W3C traceparent, or nil if the tracer has no traceparent.
    private static func traceparent(of context: ServiceContext) -> String? {
      var headers: [String: String] = [:]
      InstrumentationSystem.instrument.inject(context, into: &headers, using: CallHeaders())
      return headers["traceparent"]
    }
  }

  extension APIRequest {
    /// The W3C traceparent of version 00 in the header, or nil if no valid traceparent exists.
    fileprivate var traceparent: String? {
      let found = values("traceparent")
      guard found.count == 1,
        found[0].wholeMatch(of: /00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}/) != nil
      else { return nil }
      return found[0]
    }
  }

  /// Gives a tracer access to a request's headers.
  private struct RequestHeaders: Extractor {
    func extract(key: String, from carrier: [String: [String]]) -> String? {
      let values = carrier[key.lowercased()] ?? []
      return values.count == 1 ? values[0] : nil
    }
  }

  /// Gives a tracer access to a call's headers.
  private struct CallHeaders: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
      carrier[key.lowercased()] = value
    }
  }
#endif
