#if HTTP
  import ProductPostgres
  import TestSupport
  import Testing
  import Tracing

  @testable import ProductAPI

  /// Tests the spans that a tracer receives for requests of an API.
  @Suite struct RequestSpanTests {
    @Test func `a span has the route and the status, and calls continue the caller's trace`() async
    {
      let (tracer, caller) = (RecordingTracer(), SpanPlace.random())
      var request = APIRequest()
      request.headers["traceparent"] = [caller.traceparent]
      var passedOn: [String] = []
      await withTracer(tracer) {
        for status in [200, 503] {
          let answer = await RequestSpan.within(request) {
            passedOn.append(CallTrace.traceparent ?? "")
            return (name: "GET /v1/groups/{group}", reply: APIReply(status))
          }
          #expect(answer.reply.status == status)
        }
      }
      let spans = tracer.spans
      #expect(spans.map(\.name) == ["GET /v1/groups/{group}", "GET /v1/groups/{group}"])
      #expect(spans.allSatisfy { $0.trace == caller.trace && $0.parent == caller.id })
      #expect(passedOn == spans.map { SpanPlace(trace: $0.trace, id: $0.id).traceparent })
      #expect(spans.map(\.isFailed) == [false, true])
      for (span, status) in zip(spans, [200, 503]) {
        #expect(
          span.attributes["http.response.status_code"]?.contains("\(status)") == true
            && span.attributes["http.request.method"]?.contains("GET") == true
            && span.attributes["http.route"]?.contains("/v1/groups/{group}") == true)
      }
      #expect(CallTrace.traceparent == nil)
    }

    @Test func `without a tracer, only a valid traceparent is passed on`() async {
      let valid = SpanPlace.random().traceparent
      let cases: [([String], String?)] = [
        ([valid], valid), ([], nil), ([valid, valid], nil), ([valid + "-x"], nil),
        (["00-" + valid], nil),
      ]
      for (sent, expected) in cases {
        var request = APIRequest()
        request.headers["traceparent"] = sent
        var passedOn: String?
        _ = await RequestSpan.within(request) {
          passedOn = CallTrace.traceparent
          return (name: "GET /v1/me", reply: APIReply(200))
        }
        #expect(passedOn == expected, "\(sent)")
      }
    }
  }
#endif
