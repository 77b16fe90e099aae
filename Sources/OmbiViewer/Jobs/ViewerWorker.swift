import OmbiDocument

/// Runs the orders of viewers, each kind on a thread of its own. A newer order cancels the previous one of its kind.
@MainActor
package final class ViewerWorker {
    private enum Kind { case find, step, query, locate }

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
            jobs.cancel(.locate, of: id)
            // Matches are still counted meanwhile.
            start(.step, id) { ViewerJobs.findNext(step, document, $0, emit: $1) }
        case .stopStepping: jobs.cancel(.step, of: id)
        case .stopFinding:
            jobs.cancel(.step, of: id)
            jobs.cancel(.find, of: id)
        case .filter(let path, let document, let number):
            start(.query, id) { ViewerJobs.filter(path, document, number, $0, emit: $1) }
        case .join(let path, let document, let number):
            start(.query, id) { ViewerJobs.join(path, document, number, $0, emit: $1) }
        case .stopQuery: jobs.cancel(.query, of: id)
        case .shell(let command, let page, let number):
            start(.query, id) { $1(.ran(ShellCommand.run(command, input: page.input, flag: $0), number: number)) }
        case .compare(let old, let new, let number):
            start(.query, id) { flag, emit in
                BodyComparison(from: old, to: new) { flag.isCancelled }.map { emit(.compared($0, number: number)) }
            }
        case .locate(let path, let document, let number):
            jobs.cancel(.step, of: id)
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
        let emit = emitter(for: id)
        jobs.start(kind, of: id) { job($0, emit) }
    }

    private func read(_ source: BodySource, _ contentType: String?, _ id: ViewerID) {
        loaders[id]?.cancel()
        let emit = emitter(for: id)
        let loader: BodyLoader
        switch source {
        case .data(let data):
            let bytes = Bytes(keeping: data)
            loader = BodyLoader(contentType: contentType, isComplete: true, bytes: { bytes }, emit: emit)
        case .store(let store):
            loader = BodyLoader(
                contentType: contentType, isComplete: false, bytes: { Bytes(store) }, arrivals: { store.arrivals },
                emit: emit)
        case .input:
            guard let input else { return }
            loader = BodyLoader(contentType: contentType, isComplete: false, bytes: { input.bytes }, emit: emit)
            loaders[id] = loader
            return input.read(
                onMore: { loader.read(isComplete: $0) }, onFailure: { emit(.inputFailed($0)) })
        }
        loaders[id] = loader
        loader.read()
    }

    private func stopReading(_ id: ViewerID) {
        guard input?.end() == true else { return }
        emit(id, .inputFailed("stopped: this is what had arrived"))
        loaders[id]?.read(isComplete: true)
    }

    private func emitter(for id: ViewerID) -> @Sendable (ViewerEvent) -> Void {
        let emit = emit
        return { emit(id, $0) }
    }
}
