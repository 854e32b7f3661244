#if HTTP
  import ArgumentParser
  import ProductAPI

  /// The `gymrats api` command.
  struct APICommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "api", abstract: "Serve the SQL API over HTTP to apps whose users have a token.",
      discussion: """
        Log in as the role authenticator with DATABASE_URL. BATON_API_ISSUERS_FILE names the file with the identity \
        providers, BATON_API_KEY_FILE the signing key, and BATON_API_SIGN_IN_URL the login of the role api. With keys \
        in BATON_API_SESSION_KEYS_FILE, the server issues session tokens. The server holds no state, so several servers \
        can run. SIGTERM or SIGINT ends the command with exit code 0. docs/gymrats/http-api.md describes the setup and \
        the routes.
        """)

    @OptionGroup var options: APIOptions

    func run() async throws {
      try await options.serve(providers: GymRatsAPI.providers) { GymRatsAPI($0, $1) }
    }
  }
#endif
