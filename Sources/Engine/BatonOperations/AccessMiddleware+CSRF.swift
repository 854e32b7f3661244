/// Protects against cross-site request forgery (CSRF): a hostile page makes a browser send a change.
extension AccessMiddleware {
  /// Returns whether a POST request comes from a page of this server, or from a program without a
  /// page.
  ///
  /// A server on another port of this machine has the same host name. A browser would send this
  /// server's cookie with a form of that other server.
  func isSameOrigin(_ request: Request) -> Bool {
    request.fetchSites.allSatisfy { $0 == "same-origin" }
      && request.origins.allSatisfy { origin in
        guard let scheme = origin.firstRange(of: "://"), let host = request.hosts.first else {
          return false
        }
        return origin[scheme.upperBound...].lowercased() == host.lowercased()
      }
  }

  /// Returns whether a POST request contains the CSRF token of its principal, if the principal has one.
  func hasToken(_ request: Request, of principal: Principal) -> Bool {
    guard let token = principal.formToken else { return true }
    return token.isEqual(to: request.formToken)
  }
}
