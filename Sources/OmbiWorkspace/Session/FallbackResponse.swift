/// An earlier response that replaces a failed one. It is never judged, captured from or recorded as a response.
package struct FallbackResponse: Equatable, Sendable {
    package enum Source: Equatable, Sendable {
        /// A run of the history, by its number.
        case run(Int)
        /// A file, by the path that the collection has.
        case file(String)
    }

    package var source: Source
    /// The start of the run, or the last change of the file.
    package var date: Date
    /// The age when it was used; never negative.
    package var age: Duration
    /// Without a body where the run that used it is one of the history.
    package var response: TransportResponse

    package init(_ source: Source, date: Date, age: Duration, response: TransportResponse) {
        self.source = source
        self.date = date
        self.age = max(.zero, age)
        self.response = response
    }

    package init(_ source: Source, date: Date, now: Date, response: TransportResponse) {
        self.init(source, date: date, age: .age(of: date, at: now), response: response)
    }

    /// `response of 2026-11-22 14:05:09, 1 d old`
    package var words: String {
        switch source {
        case .run: "response of \(LocalClock.system.text(date)), \(ageWords) old"
        case .file(let path): "\(path) of \(LocalClock.system.text(date)), \(ageWords) old"
        }
    }

    /// `12 s`, `40 min`, `3 h`, `2 d`
    package var ageWords: String { age.ageWords }
}

/// The fallback of a run that failed: a response, or the reason why there is none, as a sentence.
package enum Fallback: Equatable, Sendable {
    case response(FallbackResponse)
    case missing(String)

    package var response: FallbackResponse? { if case .response(let response) = self { response } else { nil } }

    /// `fallback: response of 2026-11-22 14:05:09, 1 d old`
    package var words: String {
        switch self {
        case .response(let response): "fallback: \(response.words)"
        case .missing(let reason): "no fallback: \(reason)"
        }
    }
}

extension Session {
    /// Returns the fallback of a request that was sent and got no response, or an error status; nil if none is needed.
    func fallback(for order: RunOrder, _ source: SavedFallback.Source, _ result: SessionResult) async -> Fallback? {
        guard let prepared = result.prepared, Self.needsFallback(result), !order.request.isWebSocket else { return nil }
        switch source {
        case .history(let maximumAge): return await lastGood(order, prepared, maximumAge)
        case .file(let path): return await file(path, in: order.folder)
        }
    }

    private static func needsFallback(_ result: SessionResult) -> Bool {
        guard !result.passed, result.report != nil else { return false }
        return switch result.ending {
        case .response(let response): (response.statusCode ?? 0) >= 400
        case .failure: true
        case .cancelled: false
        }
    }

    private func lastGood(_ order: RunOrder, _ prepared: PreparedRequest, _ maximumAge: Duration?) async -> Fallback {
        guard let find = steps.lastGood else { return .missing("no history is kept") }
        let found = await find(order, prepared) ?? .missing("the history has no good response to this request")
        guard let response = found.response, let maximumAge, response.age > maximumAge else { return found }
        return .missing("the last good response is \(response.ageWords) old, older than \(AgeText.format(maximumAge))")
    }

    private func file(_ path: String, in folder: String) async -> Fallback {
        let now = steps.now()
        // Reading may block.
        return await withCheckedContinuation { continuation in
            preparation.async {
                do throws(TemplateFileError) {
                    let bytes = try TemplateFiles.system(folder: folder).readOwn(path)
                    let place = RelativePath.resolve(path, folder: folder)
                    let date = (try? FileManager.default.attributesOfItem(atPath: place))?[.modificationDate] as? Date
                    continuation.resume(
                        returning: .response(
                            FallbackResponse(
                                .file(path), date: date ?? now, now: now, response: TransportResponse(body: Data(bytes))
                            )))
                } catch { continuation.resume(returning: .missing("\(error)")) }
            }
        }
    }
}
