import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Session {
    /// Returns the fallback of a request that was sent and got no response, or one with an error status; nil where none is
    /// needed.
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
