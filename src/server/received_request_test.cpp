#include "server/received_request.h"

#include <gtest/gtest.h>

namespace willitrun {
namespace {

Request with_header(std::string_view name, std::string_view value) {
  return request_of(
      {.method = "GET", .target = "/", .headers = {{name, value}}, .client = "127.0.0.1", .is_loopback = true});
}

TEST(ReceivedRequest, HeadersAreFoundInAnyCaseAndTheFirstCounts) {
  const Request request =
      request_of({.method = "POST", .target = "/x", .body = "b", .headers = {{"HOST", "a"}, {"host", "b"}}});
  EXPECT_EQ(request.method, Method::Post);
  EXPECT_EQ(request.host, "a");
  EXPECT_EQ(request.body, "b");
}

TEST(ReceivedRequest, MethodsAreSpeltExactly) {
  EXPECT_EQ(request_of({.method = "get"}).method, Method::Other);
  EXPECT_EQ(request_of({.method = "HEAD"}).method, Method::Head);
  EXPECT_EQ(request_of({.method = "PUT"}).method, Method::Other);
}

TEST(ReceivedRequest, ACallerBehindAProxyIsNotFromHere) {
  EXPECT_TRUE(with_header("Accept", "*/*").from_here);
  for (const char* name : {"X-Forwarded-For", "Forwarded", "x-real-ip", "Via"})
    EXPECT_FALSE(with_header(name, "x").from_here);
  EXPECT_FALSE(request_of({.method = "GET"}).from_here);
}

TEST(ReceivedRequest, GzipIsForWhoTakesIt) {
  for (const char* value : {"gzip", "br, gzip", "gzip;q=0.5", "deflate,gzip ;q=1"})
    EXPECT_TRUE(with_header("Accept-Encoding", value).accepts_gzip) << value;
  for (const char* value : {"", "br", "gzip;q=0", "x-gzip", "gzip; q=0"})
    EXPECT_FALSE(with_header("Accept-Encoding", value).accepts_gzip) << value;
}

}  // namespace
}  // namespace willitrun
