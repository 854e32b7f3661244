package import ProductPostgres

extension ChallengesDatabase: ActorCalling {}
