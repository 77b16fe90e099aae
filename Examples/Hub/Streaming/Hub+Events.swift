import OmbiCore

/// Something that happened in a repository.
struct RepositoryEvent: Decodable, Sendable, Equatable {
    let actor: String
    let action: String
}

extension Hub {
    /// What happens in a repository from now on. Broken connections are made again, with the ID of the last event.
    func events(of repository: RepositoryName) -> some AsyncSequence<RepositoryEvent, any Error> {
        manager.events(RepositoryEvents(repository: repository)).map { event in
            try event.decode(RepositoryEvent.self, with: .hub)
        }
    }
}
