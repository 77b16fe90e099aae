import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Files that are written and read again.
@Suite struct RoundTripTests {
    @Test(arguments: 0..<300) func `whatever a collection holds, it is the same after it was saved and loaded`(
        seed: Int
    ) throws {
        var random = RandomCollection(seed: seed)
        let collection = random.collection()
        let read = CollectionFile.read(Array(collection.text.utf8), file: "c.json")
        let errors = read.problems.filter { $0.severity == .error }
        #expect(errors.isEmpty, "\(errors.map(\.description))\n\(collection.text)")
        let loaded = try #require(read.collection)
        #expect(loaded.text == collection.text)
        #expect(loaded.withIdentities(of: collection) == collection)
    }

    @Test(arguments: 0..<100) func `an edit of a file gives the collection that was edited`(seed: Int) throws {
        var random = RandomCollection(seed: seed)
        let (old, new) = (random.collection(), random.collection())
        let text = CollectionText.edited(new, over: Fingerprint(Bytes(old.text.utf8)))
        let read = try #require(CollectionFile.read(text, file: "c.json").collection)
        #expect(read.text == new.text)
    }
}
