#if HTTP
  import Foundation
  import ProductAPI

  /// The page for phones, and a sign-in that simulates an identity provider.
  ///
  /// The page and the sign-in exist only in the demo, and only for browsers on this machine. All of
  /// the page's calls except the sign-in are calls to the documented HTTP API.
  struct PhonePage: Sendable {
    let issuer: DemoIssuer

    /// The page does not load anything from another origin, and does not run code that is not in
    /// its script.
    private static let policy = """
      default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
      base-uri 'none'; form-action 'none'; frame-ancestors 'none'
      """

    private static let files = [
      "/": (PackageResources.phone_html, "text/html; charset=utf-8"),
      "/demo/phone.css": (PackageResources.phone_css, "text/css; charset=utf-8"),
      "/demo/phone.js": (PackageResources.phone_js, "text/javascript; charset=utf-8"),
    ]

    /// Returns the response to a request for the page or for a token, or nil for other requests.
    func reply(to request: APIRequest) async -> APIReply? {
      guard Self.isOfThisMachine(request) else { return nil }
      if let (bytes, type) = Self.files[request.path], ["GET", "HEAD"].contains(request.method) {
        return APIReply(
          200, text: String(decoding: bytes, as: UTF8.self), type: type,
          headers: ["content-security-policy": Self.policy, "referrer-policy": "no-referrer"])
      }
      guard request.path == "/demo/token", request.method == "POST" else { return nil }
      guard Self.isOfOwnPage(request), let token = await token(for: request) else {
        return APIReply(
          422,
          json: """
            {"code":"invalidInput","error":"The demo does not know this user.",\
            "where":"POST /demo/token","next":"Choose one of the users on the page."}
            """)
      }
      return APIReply(200, json: #"{"token":"\#(token)"}"#)
    }

    private func token(for request: APIRequest) async -> String? {
      struct Body: Decodable { let user: String }
      guard let body = try? JSONDecoder().decode(Body.self, from: Data(request.body)) else {
        return nil
      }
      return try? await issuer.token(of: body.user)
    }

    /// Returns whether the browser runs on this machine and uses one of its host names.
    ///
    /// The host name is checked, because a foreign site's host name can resolve to this machine.
    private static func isOfThisMachine(_ request: APIRequest) -> Bool {
      let host = (request.host ?? "").prefix { $0 != ":" }
      return ["127.0.0.1", "::1"].contains(request.address)
        && ["127.0.0.1", "localhost"].contains(String(host))
    }

    /// Returns false if the request comes from a page on another site.
    private static func isOfOwnPage(_ request: APIRequest) -> Bool {
      (request.headers["sec-fetch-site"] ?? []).allSatisfy { $0 == "same-origin" }
        && request.headers["content-type"] == ["application/json"]
    }
  }
#endif
