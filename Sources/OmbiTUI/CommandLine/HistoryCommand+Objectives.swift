import ArgumentParser
import OmbiWorkspace

extension HistoryCommand {
    /// `ombi history objectives`: what is left of the error budgets that collections promise.
    struct Objectives: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "objectives",
            abstract: "List the requests with an objective by what burns: error budget left, and burn rates.",
            discussion: """
                A burn rate of 1 uses up the budget in exactly the window of the objective. Requests without runs in \
                that window are left out. Exit status: 0; 1 a budget is spent, or nothing was found; \
                2 invalid command line or file; 3 the history could not be read.
                """)

        @Argument(
            help: "The requests: COLLECTION[/FOLDER[/REQUEST]] (default: all in this folder).", completion: .selections)
        var selections: [String] = []

        @Option(
            name: .shortAndLong, help: "The environment (default: each that has runs).", completion: .environments)
        var environment: String?

        @Option(help: "The output format: text or json.")
        var output = Format.text

        /// A request in an environment.
        private struct Endpoint: Sendable {
            var request: ItemPath
            var environment: String?
            var objective: Objective
        }

        func run() throws {
            let endpoints = try endpoints()
            guard !endpoints.isEmpty else {
                StandardError.print("ombi: no request has an objective: \"objective\": { \"success\": \"99.5%\" }")
                throw ExitStatus.failure
            }
            var statuses = try HistoryCommand.withHistory {
                (history: History) async throws(HistoryError) -> [ObjectiveStatus] in
                var found: [ObjectiveStatus] = []
                for endpoint in endpoints {
                    let status = try await ObjectiveStatus.find(
                        endpoint.request, environment: endpoint.environment, endpoint.objective, in: history)
                    if let status { found.append(status) }
                }
                return found
            }
            statuses.sort(by: ObjectiveStatus.isBefore)
            switch output {
            case .json: StandardOutput.print(RunJSON.escaped(HistoryJSON.text(statuses)))
            case .text: for status in statuses { StandardOutput.show(status.line) }
            }
            if statuses.isEmpty { StandardError.print("ombi: no run was found") }
            if statuses.isEmpty || statuses.contains(where: \.isSpent) { throw ExitStatus.failure }
        }

        private func endpoints() throws -> [Endpoint] {
            var endpoints: [Endpoint] = []
            let chosen = environment
            try Selection.forEach(selections, environment: chosen) { request, folders, collection, file in
                let environments = collection.environments.filter {
                    !$0.isAbstract && (chosen == nil || $0.name == chosen)
                }
                let path = ItemPath(file: file, path: folders.map(\.name) + [request.name])
                for environment in environments.isEmpty ? [nil] : environments.map(Optional.some) {
                    let inheritance = Inheritance(
                        collection, folders: folders, environment: environment.map(collection.effective))
                    let objective = inheritance.objective(of: request)
                    guard objective.share != nil else { continue }
                    endpoints.append(
                        Endpoint(request: path, environment: environment?.name, objective: objective))
                }
            }
            return endpoints
        }
    }
}
