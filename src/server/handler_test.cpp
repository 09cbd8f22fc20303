#include "server/handler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <set>

#include "os/file.h"
#include "server/openapi.h"
#include "server/site_fixture.h"

namespace willitrun {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::Not;

class HandlerTest : public testing::Test {
 protected:
  Response get(const std::string& target) { return fixture_.get(target); }

  json::object document(const std::string& target) {
    const Response response = get(target);
    EXPECT_EQ(response.status, 200) << target << ": " << response.body.bytes();
    return json::parse(response.body.bytes()).as_object();
  }

  Response post(const std::string& body, const std::function<void(Request&)>& change = [](Request&) {}) {
    Request request{.method = Method::Post, .target = "/api/v1/queue", .body = body};
    request.content_type = "application/json";
    request.host = "localhost:8080";
    request.client = "127.0.0.1";
    request.from_here = true;
    change(request);
    return handle(request, fixture_.site);
  }

  SiteFixture fixture_;
};

constexpr const char* kWish = R"({"model_id":"Qwen/Qwen3-0.6B"})";

TEST_F(HandlerTest, ListsModelsWithTheirResults) {
  const auto list = document("/api/v1/models?q=qwen3&view=downloads");
  ASSERT_EQ(list.at("rows").as_array().size(), 1U);
  EXPECT_EQ(list.at("rows").at(0).at("model_id"), "Qwen/Qwen3-0.6B");
  EXPECT_EQ(list.at("rows").at(0).at("verdict"), "PASS");
  EXPECT_EQ(list.at("stack").at("neuronx_cc"), "2.28.1");
}

TEST_F(HandlerTest, PagesAreWalkedByTheirCursor) {
  const auto first = document("/api/v1/models?view=downloads&limit=2");
  const auto second =
      document("/api/v1/models?view=downloads&limit=2&cursor=" + std::string(first.at("next").as_string()));
  EXPECT_NE(first.at("rows").at(0).at("model_id"), second.at("rows").at(0).at("model_id"));
}

TEST_F(HandlerTest, AModelHasEveryResultItsScriptAndItsLinks) {
  const auto model = document("/api/v1/models/Qwen/Qwen3-0.6B");
  EXPECT_EQ(model.at("rows").as_array().size(), model.at("stacks").as_array().size());
  EXPECT_EQ(model.at("rows").at(0).at("run_py"), json::value(fixture_.rows.script));
  EXPECT_EQ(model.at("links").at("badge"), "badge/Qwen/Qwen3-0.6B.svg");
  EXPECT_EQ(model.at("links").at("hub"), "https://huggingface.co/Qwen/Qwen3-0.6B");
  EXPECT_EQ(get("/api/v1/models/Qwen/Qwen3-0.6B/run.py").body.bytes(), fixture_.rows.script);
}

TEST_F(HandlerTest, AModelWithoutAScriptHasNoRunPy) {
  fixture_.rows.script.clear();
  EXPECT_EQ(get("/api/v1/models/Qwen/Qwen3-0.6B/run.py").status, 404);
}

TEST_F(HandlerTest, UnknownThingsAreNotFoundInJson) {
  for (const char* target : {"/api/v1/models/no/such", "/api/v1/nothing", "/api/v1/failures/no_such", "/nothing.js",
                             "/badge/no/such.svg", "/feed/org/nobody.atom", "/data/trn2/no.parquet", "/index.html"}) {
    const Response response = get(target);
    EXPECT_EQ(response.status, 404) << target;
    EXPECT_EQ(error_code(response), "not_found") << target;
  }
}

TEST_F(HandlerTest, WrongParametersAreSaidToBeWrong) {
  for (const char* target :
       {"/api/v1/models?limit=0", "/api/v1/models?limit=501", "/api/v1/models?limit=x",
        "/api/v1/models?limit=", "/api/v1/models?view=best", "/api/v1/models?view=", "/api/v1/models?veiw=trending",
        "/api/v1/models?q=a&q=b", "/api/v1/models?cursor=x", "/api/v1/models?where=cores%3C%3C4",
        "/api/v1/models?neuronx_cc=9.99", "/api/v1/compare?a=2.27&b=9.99", "/api/v1/compare", "/api/v1/stacks?x=1"}) {
    const Response response = get(target);
    EXPECT_EQ(response.status, 400) << target;
    EXPECT_EQ(error_code(response), "invalid_argument") << target;
  }
}

TEST_F(HandlerTest, GiantTextsAreRefused) {
  EXPECT_EQ(get("/api/v1/models?q=" + std::string(2000, 'a')).status, 400);
  EXPECT_EQ(get("/api/v1/models?where=" + std::string(5000, 'a')).status, 400);
  EXPECT_EQ(get("/api/v1/models?target=" + std::string(61, 'a')).status, 400);
  EXPECT_EQ(get("/" + std::string(9000, 'a')).status, 414);
}

TEST_F(HandlerTest, NoPathLeadsOutOfThePageBuild) {
  ASSERT_TRUE(write_file_atomically(fixture_.folder.path() / "secret.txt", "secret"));
  for (const char* target :
       {"/../secret.txt", "/assets/../../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/%2e%2e%2fsecret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt", "/..%5csecret.txt", "//etc/passwd", "/%2fetc%2fpasswd",
        "/data/..%2f..%2fsecret.txt/x", "/data/trn2/..%2f..%2fsecret.txt", "/%00", "/assets/main-1a2b.js%00.txt",
        "/%c0%ae%c0%ae/secret.txt"}) {
    const Response response = get(target);
    EXPECT_THAT(response.status, testing::AnyOf(400, 404)) << target;
    EXPECT_THAT(std::string(response.body.bytes()), Not(HasSubstr("root:"))) << target;
    EXPECT_THAT(std::string(response.body.bytes()), Not(HasSubstr(fixture_.folder.path().string()))) << target;
  }
}

TEST_F(HandlerTest, ATroubleInsideIsToldToTheOperatorAlone) {
  fixture_.rows.error = Error{Code::Io, "cannot read '/home/me/journal.sqlite'"};
  const Response response = get("/api/v1/models/Qwen/Qwen3-0.6B");
  EXPECT_EQ(response.status, 500);
  EXPECT_THAT(std::string(response.body.bytes()), Not(HasSubstr("/home")));
  EXPECT_EQ(response.trouble, "cannot read '/home/me/journal.sqlite'");
}

TEST_F(HandlerTest, HeadIsAnsweredLikeGet) {
  const Response whole = get("/api/v1/stacks");
  const Response head = handle(Request{.method = Method::Head, .target = "/api/v1/stacks"}, fixture_.site);
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.header("ETag"), whole.header("ETag"));
  EXPECT_EQ(head.body.bytes().size(), whole.body.bytes().size());
}

TEST_F(HandlerTest, AnUnchangedAnswerIsNotSentAgain) {
  for (const std::string target : {"/api/v1/stacks", "/assets/main-1a2b.js", "/", "/badge/Qwen/Qwen3-0.6B.svg"}) {
    const std::string tag(get(target).header("ETag"));
    ASSERT_FALSE(tag.empty()) << target;
    for (const std::string& condition : {tag, "W/" + tag, "\"other\", " + tag, std::string("*")}) {
      const Response again = handle(Request{.target = target, .if_none_match = condition}, fixture_.site);
      EXPECT_EQ(again.status, 304) << target << " " << condition;
      EXPECT_TRUE(again.body.bytes().empty());
      EXPECT_EQ(again.header("ETag"), tag);
    }
    EXPECT_EQ(handle(Request{.target = target, .if_none_match = "\"other\""}, fixture_.site).status, 200);
  }
}

TEST_F(HandlerTest, WrongMethodsAreNotAllowed) {
  for (const Method method : {Method::Post, Method::Other})
    for (const char* target : {"/api/v1/stacks", "/", "/nothing"}) {
      const Response response = handle(Request{.method = method, .target = target}, fixture_.site);
      EXPECT_EQ(response.status, 405) << target;
      EXPECT_THAT(std::string(response.header("Allow")), HasSubstr("GET"));
      EXPECT_EQ(error_code(response), "method_not_allowed");
    }
}

TEST_F(HandlerTest, EveryAnswerHasTheSecurityHeaders) {
  for (const char* target : {"/api/v1/stacks", "/", "/nothing", "/badge/Qwen/Qwen3-0.6B.svg", "/assets/main-1a2b.js"}) {
    const Response response = get(target);
    EXPECT_EQ(response.header("X-Content-Type-Options"), "nosniff") << target;
    EXPECT_THAT(std::string(response.header("Content-Security-Policy")), HasSubstr("default-src 'none'")) << target;
    EXPECT_EQ(response.header("Access-Control-Allow-Origin"), "*") << target;
  }
  EXPECT_THAT(std::string(get("/").header("Content-Security-Policy")), HasSubstr("script-src 'self'"));
}

TEST_F(HandlerTest, PreflightGrantsReadsAndNoWrite) {
  const Response response = handle(Request{.method = Method::Options, .target = "/api/v1/queue"}, fixture_.site);
  EXPECT_EQ(response.status, 204);
  EXPECT_EQ(response.header("Access-Control-Allow-Methods"), "GET, HEAD");
  EXPECT_EQ(post(kWish).header("Access-Control-Allow-Origin"), "");
}

TEST_F(HandlerTest, ABuiltFileIsSentCompressedToWhoTakesIt) {
  const Response plain = get("/assets/main-1a2b.js");
  EXPECT_EQ(plain.body.bytes(), "let x = 1;");
  EXPECT_EQ(plain.header("Content-Encoding"), "");
  const Response packed = handle(Request{.target = "/assets/main-1a2b.js", .accepts_gzip = true}, fixture_.site);
  EXPECT_EQ(packed.body.bytes(), "compressed");
  EXPECT_EQ(packed.header("Content-Encoding"), "gzip");
  EXPECT_NE(packed.header("ETag"), plain.header("ETag"));
  EXPECT_EQ(packed.header("Vary"), "Accept-Encoding");
  EXPECT_THAT(std::string(packed.header("Cache-Control")), HasSubstr("immutable"));
}

TEST_F(HandlerTest, AWrongAddressIsAPageForBrowsersAndJsonForPrograms) {
  const Response page = handle(Request{.target = "/no/such/page", .accepts_html = true}, fixture_.site);
  EXPECT_EQ(page.status, 404);
  EXPECT_THAT(std::string(page.body.bytes()), HasSubstr("<base href=\"../../\">"));
  const Response answer = handle(Request{.target = "/api/v1/nothing", .accepts_html = true}, fixture_.site);
  EXPECT_THAT(std::string(answer.body.bytes()), HasSubstr("not_found"));
  EXPECT_THAT(std::string(get("/no/such/page").body.bytes()), HasSubstr("not_found"));
}

TEST_F(HandlerTest, APageNamesItsRootAndItsAnswer) {
  const std::string page(get("/model/Qwen/Qwen3-0.6B/").body.bytes());
  EXPECT_THAT(page, HasSubstr("<base href=\"../../../\">"));
  EXPECT_THAT(page, HasSubstr("<title>Qwen/Qwen3-0.6B: PASS - willitrun</title>"));
  EXPECT_THAT(std::string(get("/").body.bytes()), HasSubstr("<base href=\"./\">"));
  EXPECT_EQ(get("/model/no/such/").status, 404);
  const Response redirect = get("/model/Qwen/Qwen3-0.6B");
  EXPECT_EQ(redirect.status, 301);
  EXPECT_EQ(redirect.header("Location"), "./Qwen3-0.6B/");
}

TEST_F(HandlerTest, AMissingPageBuildIsSaidInWords) {
  fixture_.site.page = std::make_shared<const ServedFiles>();
  EXPECT_EQ(get("/").status, 503);
  EXPECT_THAT(std::string(get("/").body.bytes()), HasSubstr("The page was not built"));
  EXPECT_EQ(get("/api/v1/stacks").status, 200);
}

TEST(HandlerEscaping, HtmlInNamesAndNotesStaysText) {
  SnapshotInput input = sample_input();
  const std::string evil = "evil/<script>alert(\"1\")</script>&'";
  input.rows.push_back(sample_row(evil, "FAIL"));
  input.rows.back().notes = "<img src=x onerror=alert(1)>";
  input.rows.back().signature = "sig:<b>\"&";
  input.rows.back().failure_class = "compiler_internal";
  input.rows.push_back(sample_row("evil/word", "<svg onload=alert(1)>"));
  const SiteFixture fixture(input);
  const std::string id = "evil/%3Cscript%3Ealert(%221%22)%3C%2Fscript%3E%26'";
  for (const std::string& target : {"/badge/" + id + ".svg", std::string("/badge/evil/word.svg"),
                                    "/feed/model/" + id + ".atom", std::string("/feed/org/evil.atom"),
                                    std::string("/feed/signature/sig:%3Cb%3E%22%26.atom"), "/model/" + id + "/"}) {
    const Response response = fixture.get(target);
    EXPECT_EQ(response.status, 200) << target << response.body.bytes();
    const std::string body(response.body.bytes());
    for (const char* raw : {"<script", "<img", "<svg onload", "<b>"}) EXPECT_THAT(body, Not(HasSubstr(raw))) << target;
  }
}

TEST_F(HandlerTest, ABadgeNeverCallsAnEmulatedPassATrainiumOne) {
  SnapshotInput input = sample_input();
  input.rows.push_back(sample_row("only/emulated", "PASS"));
  input.rows.back().target = "trn2-emulated";
  input.rows.back().emulated = true;
  const SiteFixture fixture(input);
  EXPECT_THAT(std::string(fixture.get("/badge/only/emulated.svg").body.bytes()), HasSubstr("trn2: UNTESTED"));
  EXPECT_THAT(std::string(fixture.get("/badge/only/emulated.svg?target=trn2-emulated").body.bytes()),
              HasSubstr("trn2-emulated: PASS"));
}

TEST_F(HandlerTest, AWishOfALocalCallerIsQueuedOnce) {
  EXPECT_EQ(post(kWish).status, 201);
  const Response again = post(kWish);
  EXPECT_EQ(again.status, 200);
  EXPECT_THAT(std::string(again.body.bytes()), HasSubstr("\"votes\":2"));
  EXPECT_EQ(document("/api/v1/queue").at("total"), 1);
}

TEST_F(HandlerTest, OthersNeedTheToken) {
  const auto from_afar = [](Request& request) {
    request.from_here = false;
    request.client = "192.0.2.7";
  };
  EXPECT_EQ(post(kWish, from_afar).status, 401);
  fixture_.site.token = "secret";
  const auto with_token = [&](const std::string& token) {
    return post(kWish, [&](Request& request) {
      from_afar(request);
      request.authorization = "Bearer " + token;
    });
  };
  EXPECT_EQ(with_token("secre").status, 401);
  EXPECT_EQ(with_token("").status, 401);
  EXPECT_EQ(with_token("secret").status, 201);
  EXPECT_EQ(fixture_.queue.voters.back(), "192.0.2.7");
}

TEST_F(HandlerTest, APageOfAnotherSiteCannotAskThroughABrowserHere) {
  EXPECT_EQ(post(kWish, [](Request& request) { request.origin = "https://evil.example"; }).status, 401);
  EXPECT_EQ(post(kWish, [](Request& request) { request.host = "evil.example"; }).status, 401);
  EXPECT_EQ(post(kWish, [](Request& request) { request.content_type = "text/plain"; }).status, 415);
  EXPECT_EQ(post(kWish, [](Request& request) { request.origin = "http://localhost:8080"; }).status, 201);
}

TEST_F(HandlerTest, AWishMustMakeSense) {
  for (const char* body : {"", "[]", "{}", R"({"model_id":1})", R"({"model_id":"../x"})", R"({"model_id":"a/b/c"})",
                           R"({"model_id":"a/b","target":"gpu"})", R"({"model_id":"a/b","transformers":"<b>"})",
                           R"({"model_id":"a/b","more":"x"})", "{\"model_id\":\"a/b\""})
    EXPECT_EQ(post(body).status, 400) << body;
}

TEST_F(HandlerTest, TheDescriptionTellsOfEveryRouteAndParameterAndOfNoOther) {
  const auto described = json::parse(openapi_document()).as_object();
  std::set<std::string> paths;
  for (const RouteDescription& route : api_routes()) {
    paths.emplace(route.pattern);
    const auto& paths_described = described.at("paths").as_object();
    ASSERT_TRUE(paths_described.contains(route.pattern)) << route.pattern;
    const auto& path = paths_described.at(route.pattern).as_object();
    EXPECT_EQ(path.contains("post"), route.takes_post) << route.pattern;
    std::set<std::string> told, taken(route.parameters.begin(), route.parameters.end());
    if (const auto* parameters = path.at("get").as_object().if_contains("parameters")) {
      for (const json::value& item : parameters->as_array()) {
        const auto& object = item.as_object();
        const std::string name(object.contains("$ref") ? object.at("$ref").as_string() : object.at("name").as_string());
        const std::string last = name.substr(name.rfind('/') + 1);
        if (!route.pattern.contains("{" + last + "}")) told.insert(last);
      }
    }
    EXPECT_EQ(told, taken) << route.pattern;
  }
  EXPECT_EQ(paths.size(), described.at("paths").as_object().size());
}

TEST_F(HandlerTest, AnEventStreamIsForTheSocketToFill) { EXPECT_TRUE(get("/api/v1/events").is_event_stream); }

}  // namespace
}  // namespace willitrun
