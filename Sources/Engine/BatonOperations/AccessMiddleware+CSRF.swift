/// The protection against cross-site request forgery (CSRF): a hostile page that makes a browser send a change.
extension AccessMiddleware {
  /// Whether a request that changes something comes from a page of this server, or from a program without a page.
  ///
  /// Another program on another port of this machine also has a known host name, and a browser would send this server's
  /// cookie with a form of that program.
  func isSameOrigin(_ request: Request) -> Bool {
    request.fetchSites.allSatisfy { $0 == "same-origin" }
      && request.origins.allSatisfy { origin in
        guard let scheme = origin.firstRange(of: "://"), let host = request.hosts.first else {
          return false
        }
        return origin[scheme.upperBound...].lowercased() == host.lowercased()
      }
  }

  /// Whether a request that changes something carries the CSRF token of its principal, if that principal has one.
  func hasToken(_ request: Request, of principal: Principal) -> Bool {
    guard let token = principal.formToken else { return true }
    return token.isEqual(to: request.formToken)
  }
}
