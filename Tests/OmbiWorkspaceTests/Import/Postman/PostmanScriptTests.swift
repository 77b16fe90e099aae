import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Scripts of tests, which become expectations and captures.
@Suite struct PostmanScriptTests {
    private func script(_ text: String) -> PostmanScript { PostmanScript(text) }

    @Test(arguments: [
        ("pm.response.to.have.status(200)", #"{"status":"200"}"#),
        ("pm.expect(pm.response.code).to.be.oneOf([200, 201]);", #"{"status":["200","201"]}"#),
        ("pm.response.to.be.success", #"{"status":"2xx"}"#),
        ("pm.response.to.be.ok; pm.response.to.have.status(200)", #"{"status":"200"}"#),
        ("pm.expect(pm.response.code).to.be.oneOf([200, 201]); pm.response.to.be.ok", #"{"status":["200","201"]}"#),
        (
            "pm.expect(pm.response.json().errors, JSON.stringify([1, 2])).to.be.undefined",
            #"{"body":[{"path":"$.errors","exists":false}]}"#
        ),
        (
            "pm.expect(pm.response.json()).to.not.have.property('a')", #"{"body":[{"path":"$.a","exists":false}]}"#
        ),
        ("tests[\"ok\"] = responseCode.code === 200;", #"{"status":"200"}"#),
        ("tests['s' + x.y[0]] = responseCode.code === 200 || responseCode.code == 201", #"{"status":["200","201"]}"#),
        ("pm.expect([200, 201]).to.include(pm.response.code)", #"{"status":["200","201"]}"#),
        ("expect(res.getBody()).to.have.jsonSchema({ type: 'object' })", #"{"schema":{"type":"object"}}"#),
        (
            "pm.expect(pm.response.json()).to.include.all.keys('a', 'b')",
            #"{"body":[{"path":"$.a","exists":true},{"path":"$.b","exists":true}]}"#
        ),
        ("pm.expect(pm.response.responseTime).to.be.below(200)", #"{"within":"200ms"}"#),
        ("tests['fast'] = responseTime < 200", #"{"within":"200ms"}"#),
        ("pm.response.to.have.header('ETag')", #"{"headers":{"ETag":{"exists":true}}}"#),
        (
            "pm.expect(pm.response.headers.get('Content-Type')).to.include('json')",
            #"{"headers":{"Content-Type":{"contains":"json"}}}"#
        ),
        (
            "const d = pm.response.json()\npm.expect(d.user.name).to.eql('Ada')",
            #"{"body":[{"path":"$.user.name","equals":"Ada"}]}"#
        ),
        (
            "let { a, b: c, } = pm.response.json().d\npm.expect(c).to.eql(1)\npm.expect(a).to.eql(2)",
            #"{"body":[{"path":"$.d.b","equals":1},{"path":"$.d.a","equals":2}]}"#
        ),
        (
            "pm.expect(pm.response.json().items).to.be.an('array')",
            #"{"body":[{"path":"$.items","type":"array"}]}"#
        ),
        (
            "pm.expect(JSON.parse(responseBody)['a b']).to.have.property('c', -1)",
            #"{"body":[{"path":"$['a b'].c","equals":-1}]}"#
        ),
        (
            "var d = pm.response.json(); pm.expect(d.length).to.be.above(0)",
            #"{"body":[{"path":"$","count":">0"}]}"#
        ),
        (
            "pm.expect(pm.response.json().l).to.be.an('array').that.is.not.empty",
            #"{"body":[{"path":"$.l","type":"array","count":">0"}]}"#
        ),
        (
            "pm.expect(pm.response.json()).to.have.property('a').that.is.a('string')",
            #"{"body":[{"path":"$.a","type":"string","exists":true}]}"#
        ),
        (
            "pm.expect(pm.response.json().n).to.be.within(1, 5)",
            #"{"body":[{"path":"$.n","atMost":5,"atLeast":1}]}"#
        ),
        (
            "pm.expect(pm.response.json().s).to.match(/^a\\d+$/)",
            #"{"body":[{"path":"$.s","matches":"^a\\d+$"}]}"#
        ),
        ("pm.expect(pm.response.json().z).to.be.undefined", #"{"body":[{"path":"$.z","exists":false}]}"#),
        (
            "pm.expect(pm.response.json()).to.eql({ a: [1], 'b': null })",
            #"{"body":[{"path":"$","equals":{"a":[1],"b":null}}]}"#
        ),
        ("pm.response.to.have.body('abc')", #"{"body":[{"equals":"abc"}]}"#),
        ("pm.response.to.have.jsonBody('a.b', 1)", #"{"body":[{"path":"$.a.b","equals":1}]}"#),
        ("pm.response.to.be.json", #"{"headers":{"Content-Type":{"contains":"json"}}}"#),
        (
            "const s = { type: 'object', required: ['a'] }; pm.response.to.have.jsonSchema(s)",
            #"{"schema":{"type":"object","required":["a"]}}"#
        ),
        (
            "var s = {type: 'array'}; pm.expect(tv4.validate(pm.response.json(), s)).to.be.true",
            #"{"schema":{"type":"array"}}"#
        ),
        ("tests['n'] = JSON.parse(responseBody).n >= 3", #"{"body":[{"path":"$.n","atLeast":3}]}"#),
        ("tests['n'] = pm.response.json().hasOwnProperty('n')", #"{"body":[{"path":"$.n","exists":true}]}"#),
        (
            "client.assert(response.body.a.hasOwnProperty('id'), 'no id')",
            #"{"body":[{"path":"$.a.id","exists":true}]}"#
        ),
        ("assert(response.status === 200)", #"{"status":"200"}"#),
        (
            "client.assert(response.status === 200, \"expected 200, got \" + f(response.status))",
            #"{"status":"200"}"#
        ),
        ("assert.responseHas('status', 200)", #"{"status":"200"}"#),
        ("assert.headersHas('X-A', 'b', 'why')", #"{"headers":{"X-A":"b"}}"#),
        ("assert.jsonHas('a.b', 1)", #"{"body":[{"path":"$.a.b","equals":1}]}"#),
        ("test.status(201);\ntest.totalTime(300)", #"{"status":"201","within":"300ms"}"#),
        (
            "test.headerContains('x-a', 'b');\ntest.header('x-c', 'd')",
            #"{"headers":{"x-a":{"contains":"b"},"x-c":"d"}}"#
        ),
        ("pm.expect(pm.response.text()).to.not.include('a')", #"{"body":[{"notContains":"a"}]}"#),
        ("pm.expect(pm.response.json().l).not.to.contain('a')", #"{"body":[{"path":"$.l","notContains":"a"}]}"#),
        (
            "var type = response.contentType.mimeType;\nclient.assert(type === 'application/json', 'no ' + type)",
            #"{"headers":{"Content-Type":"application/json"}}"#
        ),
        ("client.assert(response.body.l.length != 0, 'l')", #"{"body":[{"path":"$.l","count":"!=0"}]}"#),
        (
            "client.assert(response.body.a != null)",
            #"{"body":[{"path":"$.a","type":["string","number","boolean","array","object"]}]}"#
        ),
    ])
    func `a line is an expectation`(text: String, expected: String) {
        let found = script("pm.test(\"t\", function () {\n\(text)\n});")
        #expect(found.left.isEmpty)
        #expect(found.expect.json.compact == expected)
        #expect(script(text).expect.json.compact == expected)
        #expect(script("pm.test('t', () => { \(text) })").expect.json.compact == expected)
    }

    @Test(arguments: [
        ("pm.environment.set(\"id\", pm.response.json().a.b[0]);", "id", "$.a.b[0]", false),
        ("var j = JSON.parse(responseBody)\npostman.setEnvironmentVariable('token', j.t)", "token", "$.t", true),
        ("bru.setEnvVar('b', res.body.b, { persist: true });", "b", "$.b", false),
        ("let { token } = pm.response.json();\npm.environment.set('tk', token);", "tk", "$.token", true),
        ("pm.test('t', async () => {\npm.environment.set('id', pm.response.json().id)\n})", "id", "$.id", false),
        ("exports.id = res.body.id", "id", "$.id", false), ("$global.t = res.body.token;", "t", "$.token", true),
        ("pm.globals.set('tag', pm.response.headers.get('ETag'))", "tag", "header ETag", false),
        ("if (pm.response.code === 200) { pm.globals.set('id', pm.response.json().id) }", "id", "$.id", false),
        (
            "if (responseCode.code == 200 || responseCode.code == 201) {\nvar d = JSON.parse(responseBody)\n"
                + "console.log(d)\npm.globals.set('id', d.id)\n}", "id", "$.id", false
        ),
        ("if (res.status === 200) bru.setVar('id', res.body.id);", "id", "$.id", false),
        ("d = JSON.parse(responseBody)\nl = d.l || []\npm.globals.set('id', l[0].id)", "id", "$.l[0].id", false),
    ])
    func `a variable that is set is a capture`(text: String, name: String, source: String, isSecret: Bool) {
        let found = script(text)
        #expect(found.captures.map(\.name) == [name] && found.captures.map(\.source.text) == [source])
        #expect(found.captures.map(\.isSecret) == [isSecret] && found.left.isEmpty)
    }

    @Test(arguments: [
        "if (pm.response.json().id) { pm.environment.set('id', pm.response.json().id) }",
        "if (pm.response.code === 404) { pm.environment.set('id', pm.response.json().id) }",
        "if (pm.response.code === 200) { pm.environment.set('id', pm.response.json().id) } else { x() }",
        "if (pm.response.code === 200) { pm.environment.set('id', pm.response.json().id); pm.response.to.be.ok }",
        "var j = pm.response.json(); j = f(j); pm.environment.set('id', j.id)",
        "var j = pm.response.json(); if (j[0]) { j = j[0] }; pm.environment.set('id', j.id)",
        "pm.expect(pm.response.code).to.not.eql(500)", "pm.environment.set('t', Date.now())",
        "pm.sendRequest('https://a.test', function () {})", "pm.expect(d.list.map(x => x.id)).to.eql([1])",
        "pm.expect(pm.response.json().a || 1).to.eql(1)", "pm.response.to.have.status(200) || x()",
        "for (const x of d) { pm.expect(x.id).to.eql(1) }", "pm.expect(pm.response.json().a).to.eql(b)",
        "client.assert(response.body.a !== null)", "client.assert(response.body.a != 1)",
        "let { a: { b } } = pm.response.json()", "let { a } = require('b')",
        "pm.environment.set('a', `${x}`)", "pm.test('open", "((((", "}}}}", "/",
    ])
    func `another line is left, and never half of it`(text: String) {
        let found = script(text)
        #expect(found.expect.count == 0 && found.captures.isEmpty && found.left == [1])
    }

    @Test(arguments: [
        "pm.expect(pm.response.json().a).to.not.equal(1)", "pm.expect(pm.response.json(), ).to.eql(1)",
        "pm.expect(pm.response.json()).to.not.have.property('a', 1)",
        "pm.expect(pm.response.json()).to.not.have.property('a').that.is.a('string')",
        "pm.expect(pm.response.json().a).to.not.be.empty.and.be.an('array')",
        "pm.expect(pm.response.json().a).to.be.a('string').and.keys('b')",
        "pm.expect(pm.response.json().a).to.match(/a/i)",
        "pm.response.to.have.jsonSchema({ type: 'number', exclusiveMinimum: true })",
        "let a = [1]; pm.expect(pm.response.json().a).to.eql(a)",
    ])
    func `a line without a counterpart is left as a whole`(text: String) {
        let found = script(text)
        #expect(found.expect == Expectation() && !found.left.isEmpty)
    }

    @Test func `each statement that is left counts, also of one line`() {
        let found = script("foo(); bar(); pm.response.to.have.status(204)")
        #expect(found.statements == 3 && found.known == 1 && found.left == [1])
    }

    @Test func `comments are no statements, and lines are those of the script`() {
        let found = script("// one\n/* two\n */ pm.response.to.have.status(204)\n\nfoo()\nconsole.log('x')")
        #expect(found.expect.status == [.code(204)] && found.left == [5] && found.statements == 3)
        #expect(script("// nothing\n").statements == 0)
    }

    @Test func `a request has both, and one note for the rest`() throws {
        let events = #"""
            , "event": [{"listen": "prerequest", "script": {"exec": ["a()", "b()"]}},
            {"listen": "test", "script": {"exec": ["pm.test(\"ok\", function () {", "  pm.response.to.have.status(200)",
            "})", "pm.environment.set(\"my id\", pm.response.json().id)", "other()"]}},
            {"listen": "test", "script": {"exec": []}}]
            """#
        let (request, notes) = try PostmanSample.only("\"url\": \"https://a.test/x\"", events)
        #expect(request.expect?.status == [.code(200)])
        #expect(request.captures.map(\.name) == ["my_id"])
        let losses = notes.filter { $0.kind == .loss }
        #expect(losses.map(\.subject) == ["prerequest of r", "test of r"])
        #expect(losses.last?.message.hasSuffix("left: line 5") == true)
    }
}
