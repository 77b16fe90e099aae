import OmbiDocument

/// Runs the orders of viewers, each kind on a thread of its own; a newer order cancels the one before it.
@MainActor
package final class ViewerWorker {
    private enum Kind { case find, step, ask, locate }

    private let emit: @Sendable (ViewerID, ViewerEvent) -> Void
    /// The input of `ombi view`.
    private let input: ViewInput?
    private let jobs = Jobs<Kind>()
    private var loaders: [ViewerID: BodyLoader] = [:]

    package init(input: ViewInput?, emit: @escaping @Sendable (ViewerID, ViewerEvent) -> Void) {
        self.input = input
        self.emit = emit
    }

    package func run(_ order: ViewerOrder, for id: ViewerID) {
        switch order {
        case .read(let source, let contentType): read(source, contentType, id)
        case .stopReading: stopReading(id)
        case .readMore(let isComplete): loaders[id]?.read(isComplete: isComplete)
        case .find(let query, let document, let offset):
            jobs.cancel(.step, of: id)
            start(.find, id) { ViewerJobs.find(query, document, from: offset, $0, emit: $1) }
        case .findNext(let step, let document):
            // Counting goes on meanwhile.
            start(.step, id) { ViewerJobs.findNext(step, document, $0, emit: $1) }
        case .stopStepping: jobs.cancel(.step, of: id)
        case .stopFinding:
            jobs.cancel(.step, of: id)
            jobs.cancel(.find, of: id)
        case .filter(let path, let document, let number):
            start(.ask, id) { ViewerJobs.filter(path, document, number, $0, emit: $1) }
        case .stopAsking: jobs.cancel(.ask, of: id)
        case .shell(let command, let page, let number):
            start(.ask, id) { $1(.ran(ShellCommand.run(command, input: page.input, flag: $0), number: number)) }
        case .compare(let old, let new, let number):
            start(.ask, id) { flag, answer in
                BodyComparison(from: old, to: new) { flag.isCancelled }.map { answer(.compared($0, number: number)) }
            }
        case .locate(let path, let document, let number):
            start(.locate, id) { ViewerJobs.locate(path, document, number, $0, emit: $1) }
        case .forget:
            loaders.removeValue(forKey: id)?.cancel()
            jobs.cancelAll(of: id)
        }
    }

    private func start(
        _ kind: Kind, _ id: ViewerID,
        _ job: @escaping @Sendable (CancelFlag, @escaping @Sendable (ViewerEvent) -> Void) -> Void
    ) {
        let answer = teller(id)
        jobs.start(kind, of: id) { job($0, answer) }
    }

    private func read(_ source: BodySource, _ contentType: String?, _ id: ViewerID) {
        loaders[id]?.cancel()
        let answer = teller(id)
        let loader: BodyLoader
        switch source {
        case .data(let data):
            let bytes = Bytes(keeping: data)
            loader = BodyLoader(contentType: contentType, isComplete: true, bytes: { bytes }, emit: answer)
        case .store(let store):
            loader = BodyLoader(contentType: contentType, isComplete: false, bytes: { Bytes(store) }, emit: answer)
        case .input:
            guard let input else { return }
            loader = BodyLoader(contentType: contentType, isComplete: false, bytes: { input.bytes }, emit: answer)
            loaders[id] = loader
            return input.read(
                onMore: { loader.read(isComplete: $0) }, onFailure: { answer(.inputFailed($0)) })
        }
        loaders[id] = loader
        loader.read()
    }

    private func stopReading(_ id: ViewerID) {
        guard input?.end() == true else { return }
        teller(id)(.inputFailed("stopped: this is what had come"))
        loaders[id]?.read(isComplete: true)
    }

    private func teller(_ id: ViewerID) -> @Sendable (ViewerEvent) -> Void {
        let emit = emit
        return { emit(id, $0) }
    }
}
