import OmbiDocument
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The limits of what undo keeps.
@Suite struct EditHistoryTests {
    private static let megabyte = 1 << 20

    private static func text(megabytes: Int) -> Bytes {
        Bytes([UInt8](repeating: 0x20, count: megabytes * megabyte))
    }

    private static func edit(_ number: Int, _ text: Bytes) -> EditHistory.Edit {
        let version = EditHistory.Version(collection: Collection(name: "\(number)"), text: text)
        return EditHistory.Edit(label: "edit \(number)", version: version)
    }

    @Test func `of a file that changes again and again the last texts are kept`() {
        var history = EditHistory()
        var text = Self.text(megabytes: 1)
        for number in 1...100 {
            let next = Self.text(megabytes: 1)
            _ = history.record(Self.edit(number, text), now: next)
            text = next
        }
        #expect(history.done.count == EditHistory.maximumBytes / Self.megabyte)
        #expect(history.done.last?.label == "edit 100")
    }

    @Test func `edits of one text are limited by their number, however large it is`() {
        var history = EditHistory()
        let text = Self.text(megabytes: 40)
        for number in 1...300 { _ = history.record(Self.edit(number, text), now: text) }
        #expect(history.done.count == EditHistory.maximumEdits && history.done.first?.label == "edit 101")
    }

    @Test func `the last edit can be undone, however large the text before it was`() {
        var history = EditHistory()
        for number in 1...3 { _ = history.record(Self.edit(number, Self.text(megabytes: 40)), now: nil) }
        #expect(history.done.map(\.label) == ["edit 3"])
    }
}
