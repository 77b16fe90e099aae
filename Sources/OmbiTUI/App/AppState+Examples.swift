import OmbiTerminal
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The examples that are saved with a request, in the place of its response.
extension AppState {
    /// Shows one with all that a body has. A body in a file is read first.
    mutating func showExample(_ index: Int) -> [Outcome] {
        guard let request = workbench.request, let example = (request.examples ?? [])[safe: index] else { return [] }
        guard example.file != nil else { return show(OpenedExample(example), of: request.id, named: request.name) }
        guard let order = workbench.order(0) else { return [] }
        let file = ExampleFile(example: example, item: request.id, name: request.name, collection: order.file)
        return [.effect(.readExample(file))]
    }

    /// Takes in the content of a file of data or of an example, or the reason why there is none.
    mutating func readFile(_ event: Event) -> [Outcome] {
        switch event {
        case .dataRead(let plan): perform(BatchAction.begin(plan))
        case .dataUnread(let plan, let reason): runs.askAgain(plan, reason, workbench)
        case .exampleRead(let file, let body): showExample(file, body)
        default: []
        }
    }

    /// Shows one whose body was read, unless another request is open by now.
    private mutating func showExample(_ file: ExampleFile, _ body: Data) -> [Outcome] {
        guard workbench.request?.id == file.item else { return [] }
        return show(OpenedExample(file.example, body: body), of: file.item, named: file.name)
    }

    private mutating func show(_ example: OpenedExample, of item: ItemID, named name: String) -> [Outcome] {
        if let run, run.isRunning {
            return .notify(.info, "The request is running; x cancels it", during: .run(run.id))
        }
        responsePane.show(.body)
        return [.focus(.response)] + runs.open(example, of: item, named: name, at: now).map(Outcome.effect)
    }
}
