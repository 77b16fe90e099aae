import Testing

@testable import OmbiWorkspace

@Suite("Several items are moved")
struct MovingTests {
    private static func request(_ name: String) -> CollectionItem {
        .request(SavedRequest(name: name, path: "/\(name)"))
    }

    /// `a`, a folder `f` with `b` and `c`, an empty folder `g`, and `d`.
    private static let collection = Collection(
        name: "all",
        items: [
            request("a"), .folder(Folder(name: "f", items: [request("b"), request("c")])),
            .folder(Folder(name: "g")), request("d"),
        ])

    private static func id(_ path: String..., in collection: Collection = collection) -> ItemID {
        collection.item(atPath: path)?.id ?? ItemID()
    }

    private static func names(_ items: [CollectionItem]) -> String {
        items.map { item in
            if case .folder = item { "\(item.name)(\(names(item.items)))" } else { item.name }
        }.joined(separator: " ")
    }

    private static func moved(_ ids: [ItemID], _ place: Collection.Place) -> String? {
        var collection = collection
        return collection.put(collection.outermost(Set(ids)), place) ? names(collection.items) : nil
    }

    /// With all names looked through for each item, it takes an hour.
    @Test(.timeLimit(.minutes(2))) func `thousands of items with one name get numbers`() {
        var collection = Self.collection
        collection.put((0..<50_000).map { _ in Self.request("a") }, .root)
        #expect(collection.items.count == 50_004 && collection.items.last?.name == "a 50001")
    }

    @Test func `items move to every place, in their order`() {
        let (a, b, d) = (Self.id("a"), Self.id("f", "b"), Self.id("d"))
        let (f, g) = (Self.id("f"), Self.id("g"))
        #expect(Self.moved([d, a], .into(f)) == "f(b c a d) g()")
        #expect(Self.moved([d, a], .before(b)) == "f(a d b c) g()")
        #expect(Self.moved([b], .after(a)) == "a b f(c) g() d")
        #expect(Self.moved([b, f], .into(g)) == "a g(f(b c)) d", "a folder takes along what is in it")
        #expect(Self.moved([a, d], .root) == "f(b c) g() a d")
    }

    @Test func `items move also when the place is beside one of them`() {
        let (a, b, d) = (Self.id("a"), Self.id("f", "b"), Self.id("d"))
        #expect(Self.moved([a, b, d], .after(a)) == "a b d f(c) g()")
        #expect(Self.moved([a], .before(a)) == "a f(b c) g() d")
    }

    @Test func `items move but not into themselves, nor to a place that is gone`() {
        let (b, f) = (Self.id("f", "b"), Self.id("f"))
        for place in [Collection.Place.into(f), .after(b), .before(b), .into(b), .into(ItemID())] {
            #expect(Self.moved([f], place) == nil)
        }
        #expect(Self.moved([], .root) == nil)
    }

    @Test func `items move and get a number where their name is taken, but not among their own siblings`() {
        var collection = Self.collection
        collection.items.append(.folder(Folder(name: "h", items: [Self.request("a"), Self.request("a 2")])))
        let folder = Self.id("h", in: collection)
        collection.put(collection.outermost([Self.id("a")]), .into(folder))
        #expect(Self.names(collection.items) == "f(b c) g() d h(a a 2 a 3)")
        var twins = Collection(name: "twins", items: [Self.request("x"), Self.request("x")])
        twins.put([twins.items[1]], .before(twins.items[0].id))
        #expect(Self.names(twins.items) == "x x")
    }

    @Test func `items move and know what is beside them`() throws {
        let collection = Self.collection
        let (a, f, g, d) = (Self.id("a"), Self.id("f"), Self.id("g"), Self.id("d"))
        let inner = try #require(collection.neighbors(of: [f, g]))
        #expect(inner.before == a && inner.after == d)
        let ends = try #require(collection.neighbors(of: [a, d]))
        #expect(ends.before == nil && ends.after == nil)
        #expect(collection.neighbors(of: [a, Self.id("f", "b")]) == nil)
    }
}
