#if HTTP
  import ArgumentParser
  import ProductAPI

  /// The `whosthere api` command.
  struct APICommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "api", abstract: "Serve the SQL API over HTTP to apps.",
      discussion: """
        Log in as the role authenticator with DATABASE_URL. BATON_API_KEY_FILE names the signing key, and \
        BATON_API_SIGN_IN_URL the login of the role api. BATON_API_ISSUERS_FILE names the file with the identity \
        providers; without this file, users can only sign in anonymously. The server holds no state, so several \
        servers can run. SIGTERM or SIGINT ends the command with exit code 0. docs/whosthere/http-api.md describes \
        the setup and the routes.
        """)

    @OptionGroup var options: APIOptions

    func run() async throws {
      try await options.serve(providers: WhosThereAPI.providers, needsProviders: false) {
        WhosThereAPI($0, $1)
      }
    }
  }
#endif
