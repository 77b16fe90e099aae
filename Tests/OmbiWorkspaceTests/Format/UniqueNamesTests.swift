import Testing

@testable import OmbiWorkspace

@Suite struct UniqueNamesTests {
    @Test func `a name that is taken has the lowest number that is free`() {
        var names = UniqueNames(["token", "token3"])
        let tokens = (1...4).map { _ in names.take("token") }
        #expect(tokens == ["token2", "token4", "token5", "token6"])
        names.insert("key")
        let others = [names.take("token4"), names.take("key")]
        #expect(others == ["token42", "key2"])
    }

    @Test func `a name with a number takes it from others`() {
        var names = UniqueNames(separator: " ")
        let taken = ["a 2", "a", "a", "a 2"].map { names.take($0) }
        #expect(taken == ["a 2", "a", "a 3", "a 2 2"])
    }
}
